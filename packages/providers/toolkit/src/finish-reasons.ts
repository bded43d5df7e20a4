import { type FinishReason, type Issue, ProviderError, type TextFinish } from '@fairlead/core/provider'

/** How an answer ended. The end of a turn is `stop`, also if it calls tools. */
type Ending = FinishReason | 'failure'

/** The words of servers, and of gateways that pass them on in another dialect, for each ending. */
const words: readonly (readonly [ending: Ending, of: string, names: string])[] = [
  ['stop', 'OpenAI, and SDKs', 'stop completed complete end finished done'],
  ['stop', 'Anthropic, Bedrock', 'end_turn stop_sequence'],
  ['stop', 'TGI, Together, LM Studio', 'eos eos_token eos_found eot stop_string_found user_stopped'],
  ['tool_calls', 'OpenAI, Anthropic, SDKs', 'tool_calls tool_call tool_use function_call function_calls'],
  ['length', 'OpenAI: chat completions, and Responses', 'length max_output_tokens max_completion_tokens'],
  ['length', 'Anthropic, Gemini, Cohere, Bedrock', 'max_tokens model_context_window_exceeded continuation'],
  ['length', 'Mistral, TGI', 'model_length max_new_tokens max_length'],
  ['length', 'LM Studio', 'max_predicted_tokens_reached context_length_reached'],
  ['length', 'gateways', 'token_limit length_limit context_length_exceeded truncated incomplete'],
  ['content_filter', 'OpenAI, Azure, Bedrock', 'content_filter content_filtered guardrail_intervened moderation'],
  ['content_filter', 'Gemini', 'safety recitation blocklist prohibited_content spii image_safety model_armor'],
  ['content_filter', 'Gemini', 'image_prohibited_content image_recitation blocked'],
  ['content_filter', 'Z.ai, Cohere', 'sensitive error_toxic'],
  ['refusal', 'Anthropic', 'refusal refused'],
  ['pause', 'Anthropic', 'pause_turn pause compaction'],
  ['failure', 'OpenRouter, Mistral, vLLM, Cohere', 'error server_error internal_error timeout'],
  ['failure', 'DeepSeek, Z.ai', 'insufficient_system_resource network_error'],
  ['failure', 'vLLM, SGLang, LM Studio', 'abort aborted cancelled canceled failed model_unloaded'],
]

const endings: ReadonlyMap<string, Ending> = new Map(
  words.flatMap(([ending, , names]) => names.split(' ').map((name) => [name, ending] as const)),
)

/** A finish reason in the spelling of the table: `MAX_TOKENS`, `max-tokens`, `maxTokens`, and `FinishReason.MAX_TOKENS`. */
export function plainReason(reason: string): string {
  const snake = reason.trim().replaceAll(/([a-z])([A-Z])/g, '$1_$2')
  return snake
    .toLowerCase()
    .replaceAll(/[\s.-]+/g, '_')
    .replace(/^(?:finish|stop)_reason_/, '')
}

/**
 * How an answer ended, by the word of any server, in any spelling. Undefined for an unknown word, and for none: null, and
 * the empty text that some servers send with each chunk.
 *
 * @throws ProviderError for a word that means a failure
 */
export function readFinishReason(reason: string | null | undefined): FinishReason | undefined {
  if (isNoReason(reason)) return undefined
  const ending = endings.get(reason!) ?? endings.get(plainReason(reason!))
  if (ending === 'failure') throw new ProviderError('retry', `the finish reason is "${reason}"`)
  return ending
}

/** Whether there is no finish reason yet. */
export function isNoReason(reason: string | null | undefined): boolean {
  return reason === undefined || reason === null || reason.trim() === ''
}

const maxWordLength = 100

/** The warning of an answer that ended properly, and for no reason that is known. */
export function unknownReasonWarning(reason: string | null | undefined): Issue {
  const issue = isNoReason(reason)
    ? 'the provider did not say why the answer ended'
    : `the provider ended the answer for a reason that Fairlead does not know: ${reason!.slice(0, maxWordLength)}`
  return { field: null, issue }
}

/** The warning of a response that reached `maxTokens` and spent some of its tokens on reasoning. */
export function reasoningWarning(tokens: number, { isEstimate = false } = {}): readonly Issue[] {
  if (tokens === 0) return []
  const count = isEstimate ? `about ${tokens}` : tokens
  return [{ field: 'maxTokens', issue: `${count} of the tokens were used for reasoning` }]
}

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
