import { seal } from '@fairlead/http'

/** A request of up to 20 MiB in the form of another API, that is meant to take long, and the status that it gets. */
export type SurfaceRequest = readonly [title: string, status: number, fields: () => object]

const mega = 1_000_000
const megapixels = 'iVBORw0KGgoAAAANSUhEUg'.padEnd(20 * mega, 'A')

function times<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

const user = (content: unknown) => ({ role: 'user', content })
const text = () => ({ type: 'text', text: 'x'.repeat(1_000) })
const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`
const wide = JSON.stringify(Object.fromEntries(times(9_000, (index) => [`name ${index}`, index])))
const [long, tooLong] = [4.9 * mega, 9 * mega].map((length) => JSON.stringify({ a: 'x'.repeat(length) })) as [
  string,
  string,
]
const reasoning = { type: 'reasoning', summary: [], encrypted_content: seal({ openai: { a: 'x'.repeat(4.8 * mega) } }) }
const schema = { enum: times(80, (index) => `name ${index}`) }

/** Calls of a tool, each with its result. */
function callItems(count: number, json: string): object {
  const call = (call_id: string) => ({ type: 'function_call', call_id, name: 'find', arguments: json })
  const result = (call_id: string) => ({ type: 'function_call_output', call_id, output: 'x' })
  const items = times(count, (index) => [call(`c${index}`), result(`c${index}`)]).flat()
  return { input: [user('x'), ...items], tools: [{ type: 'function', name: 'find' }] }
}

function callBlocks(count: number, json: string): object {
  const input: unknown = JSON.parse(json)
  const call = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'find', input }] })
  const result = (id: string) => user([{ type: 'tool_result', tool_use_id: id, content: 'x' }])
  const messages = times(count, (index) => [call(`c${index}`), result(`c${index}`)]).flat()
  return { messages: [user('x'), ...messages], tools: [{ name: 'find', input_schema: { type: 'object' } }] }
}

export const surfaceRequests: Readonly<Record<string, readonly SurfaceRequest[]>> = {
  '/openai/v1/responses': [
    ['long texts', 200, () => ({ input: 'x'.repeat(9.9 * mega), instructions: 'x'.repeat(9.9 * mega) })],
    ['9,000 items', 200, () => ({ input: times(9_000, () => user('x'.repeat(100))) })],
    ['7,000 parts', 200, () => ({ input: times(7, () => user(times(1_000, text))) })],
    ['2,500 calls', 200, () => callItems(2_500, '{"a":1}')],
    ['100 calls with deep arguments', 200, () => callItems(100, deep)],
    ['a call with 9,000 arguments', 200, () => callItems(1, wide)],
    ['a call with a long argument', 200, () => callItems(1, long)],
    ['a call with a longer argument', 400, () => callItems(1, tooLong)],
    ['20 calls with 9,000 arguments', 400, () => callItems(20, wide)],
    ['a call with unfinished arguments', 400, () => callItems(1, '{"a":'.repeat(mega))],
    [
      '512 tools',
      200,
      () => ({
        input: 'x',
        tools: times(512, (index) => ({ type: 'function', name: `t${index}`, parameters: schema })),
      }),
    ],
    [
      '9,000 tools',
      400,
      () => ({ input: 'x', tools: times(9_000, (index) => ({ type: 'function', name: `t${index}` })) }),
    ],
    ['long encrypted reasoning', 200, () => ({ input: [user('x'), reasoning, user('x')] })],
    [
      'a large image',
      200,
      () => ({ input: [user([{ type: 'input_image', image_url: `data:image/png;base64,${megapixels}` }])] }),
    ],
  ],
  '/anthropic/v1/messages': [
    ['long texts', 200, () => ({ system: 'x'.repeat(9.9 * mega), messages: [user('x'.repeat(9.9 * mega))] })],
    ['9,000 messages', 200, () => ({ messages: times(9_000, () => user('x'.repeat(100))) })],
    ['7,000 parts', 200, () => ({ messages: times(7, () => user(times(1_000, text))) })],
    ['1,500 calls', 200, () => callBlocks(1_500, '{"a":1}')],
    ['100 calls with deep input', 200, () => callBlocks(100, deep)],
    ['a call with 9,000 arguments', 200, () => callBlocks(1, wide)],
    ['a call with a long argument', 200, () => callBlocks(1, tooLong)],
    [
      '512 tools',
      200,
      () => ({ messages: [user('x')], tools: times(512, (index) => ({ name: `t${index}`, input_schema: schema })) }),
    ],
    ['9,000 tools', 400, () => ({ messages: [user('x')], tools: times(9_000, (index) => ({ name: `t${index}` })) })],
    [
      'a large image',
      200,
      () => ({
        messages: [user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: megapixels } }])],
      }),
    ],
  ],
}
