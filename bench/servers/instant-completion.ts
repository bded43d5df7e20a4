/** A constant chat completion, whole and as a stream. */
const content = 'The quick brown fox jumps over the lazy dog. '.repeat(6).trimEnd()
const named = { id: 'chatcmpl-instant', created: 1_795_248_830, model: 'instant' }
const usage = { prompt_tokens: 9, completion_tokens: 54, total_tokens: 63 }

export const whole = JSON.stringify({
  ...named,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage,
})

/** The text of a piece whose number is counted. */
export const countedWord = 'token '

/** One event per word, and the event with the finish reason. */
export const pieces = [...content.split(/(?<= )/).map((word) => piece({ content: word }, null)), piece({}, 'stop')]

/** The end of a stream. */
export const ending = `${event({ ...named, object: 'chat.completion.chunk', choices: [], usage })}data: [DONE]\n\n`

export function piece(delta: object, finish: string | null): string {
  return event({ ...named, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}
