import type { AnswerPart, PartEvent, TextAnswer, TextEvent } from '@fairlead/core/provider'

type Gathered = { part: AnswerPart; json: string; isWhole: boolean }

/** The answer that the events of a stream amount to, by the rules of the provider contract. */
export async function gather(events: AsyncIterable<TextEvent>): Promise<TextAnswer> {
  const gathered: Gathered[] = []
  for await (const event of events) {
    if (event.type === 'finish') {
      const { type: _type, ...finish } = event
      const parts = gathered.map(({ part, json }) =>
        part.type === 'tool_call' ? { ...part, input: JSON.parse(json || '{}') as typeof part.input } : part,
      )
      const content = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
      return { content, ...(parts.some(({ type }) => type !== 'text') && { parts }), ...finish }
    }
    if (event.type !== 'alive' && event.type !== 'start' && event.type !== 'usage') add(gathered, event)
  }
  throw new Error('the stream ended without a finish event')
}

function add(gathered: Gathered[], event: PartEvent): void {
  const own = event.providerOptions && { providerOptions: event.providerOptions }
  if (event.type === 'tool_call') {
    const { id, name, inputDelta } = event
    const known = gathered.find(({ part }) => part.type === 'tool_call' && part.id === id)
    if (known) known.json += inputDelta
    else gathered.push({ part: { type: 'tool_call', id, name, input: {}, ...own }, json: inputDelta, isWhole: false })
    return
  }
  const last = gathered.at(-1)
  if (last && !last.isWhole && last.part.type === event.type) {
    last.part = { ...last.part, text: last.part.text + event.text, ...own }
    last.isWhole = own !== undefined
  } else {
    gathered.push({ part: { type: event.type, text: event.text, ...own }, json: '', isWhole: own !== undefined })
  }
}
