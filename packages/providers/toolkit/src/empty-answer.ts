import { ProviderError, type TextFinish } from '@fairlead/core/provider'

/**
 * Rejects an answer that was paid for and has nothing in it: an empty success would hide that the reply could not be read.
 * An answer that reached its maximum length, was filtered, or pauses says with its finish reason why it is empty.
 *
 * @param parts number of parts that say something
 * @param path of the field that the reply should have: `choices.0.message.content`
 * @throws ProviderError with the code `empty_answer`
 */
export function requireAnswer(
  parts: number,
  { finishReason, usage }: Pick<TextFinish, 'finishReason' | 'usage'>,
  path: string,
): void {
  const tokens = usage?.completionTokens ?? 0
  if (parts > 0 || tokens === 0 || (finishReason !== 'stop' && finishReason !== 'tool_calls')) return
  throw new ProviderError(
    'give_up',
    `${path}: the answer is empty, although the API counted ${tokens} completion tokens`,
    {
      mayBill: true,
      upstream: { status: 200, code: 'empty_answer' },
    },
  )
}
