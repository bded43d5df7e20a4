import { bytes, city, greeting, sse, type Origin, type RealReply } from './reply-builders.ts'

const responseHead = { id: 'resp_1', object: 'response', model: 'any', status: 'completed' }
const responsesUsage = { input_tokens: 9, output_tokens: 3, total_tokens: 12 }
const outputMessage = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Hello there', annotations: [] }],
}
const completed = { ...responseHead, output: [outputMessage], usage: responsesUsage }
const created = { type: 'response.created', response: { ...responseHead, status: 'in_progress', output: [] } }

const responses = (
  of: string,
  origin: Origin,
  events: readonly object[],
  answer: RealReply['answer'] = greeting,
): RealReply => ({
  of,
  origin,
  asked: 'stream',
  api: 'responses',
  reply: { text: bytes(events, { mark: false }), headers: sse },
  ...(answer && { answer }),
})
const done = { type: 'response.completed', response: completed }
const added = { type: 'response.output_item.added', item: { ...outputMessage, content: [] } }
const deltas = ['Hello', ' there'].map((delta) => ({ type: 'response.output_text.delta', item_id: 'msg_1', delta }))
const functionCall = { id: 'fc_1', type: 'function_call', call_id: 'call_a', name: 'get_weather', arguments: city }
const called = { ...greeting, text: '', calls: [['get_weather', city]] as const, finishReason: 'tool_calls' as const }

/** Replies of the Responses API, as servers other than OpenAI send them. */
export const responsesReplies: readonly RealReply[] = [
  responses('vLLM: no output_index', 'a report', [
    created,
    added,
    ...deltas,
    { type: 'response.output_item.done', item: outputMessage },
    done,
  ]),
  responses('LiteLLM: no item events', 'a report', [created, ...deltas, done]),
  responses('a server whose text is only in the last event', 'a report', [created, done]),
  responses('a server whose last event has no output', 'assumed', [
    created,
    added,
    ...deltas,
    { type: 'response.completed', response: { ...responseHead, usage: responsesUsage } },
  ]),
  responses('a server whose last event has no type of item order', 'assumed', [added, ...deltas, done]),
  responses(
    'a function call without output_index',
    'a report',
    [
      created,
      { type: 'response.output_item.added', item: { ...functionCall, arguments: '' } },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: city },
      { type: 'response.output_item.done', item: functionCall },
      { type: 'response.completed', response: { ...completed, output: [functionCall] } },
    ],
    called,
  ),
  responses(
    'a function call that is only in the last event',
    'assumed',
    [created, { type: 'response.completed', response: { ...completed, output: [functionCall] } }],
    called,
  ),
  responses(
    'a response that is not complete, for an unknown reason',
    'assumed',
    [
      created,
      added,
      ...deltas,
      {
        type: 'response.incomplete',
        response: { ...completed, status: 'incomplete', incomplete_details: { reason: 'because' } },
      },
    ],
    { ...greeting, finishReason: 'length', warns: true },
  ),
  responses(
    'a response that is not complete, without a reason',
    'assumed',
    [created, added, ...deltas, { type: 'response.incomplete', response: completed }],
    { ...greeting, finishReason: 'length', warns: true },
  ),
  {
    of: 'a whole response for a stream',
    origin: 'assumed',
    asked: 'stream',
    api: 'responses',
    reply: { json: completed },
    answer: greeting,
  },
  {
    of: 'a stream for a whole response',
    origin: 'assumed',
    asked: 'whole',
    api: 'responses',
    reply: { text: bytes([created, added, ...deltas, done]), headers: sse },
    answer: greeting,
  },
  {
    of: 'a status in upper case',
    origin: 'assumed',
    asked: 'whole',
    api: 'responses',
    reply: { json: { ...completed, status: 'COMPLETED' } },
    answer: greeting,
  },
  {
    of: 'no status',
    origin: 'assumed',
    asked: 'whole',
    api: 'responses',
    reply: { json: { ...completed, status: undefined } },
    answer: greeting,
  },
  {
    of: 'an incomplete response with MAX_TOKENS',
    origin: 'assumed',
    asked: 'whole',
    api: 'responses',
    reply: { json: { ...completed, status: 'incomplete', incomplete_details: { reason: 'MAX_TOKENS' } } },
    answer: { ...greeting, finishReason: 'length' },
  },
  {
    of: 'a response with nothing in it that was paid for',
    origin: 'a report',
    asked: 'whole',
    api: 'responses',
    reply: { json: { ...completed, output: [] } },
    fails: { failure: 'give_up', mayBill: true, upstream: { code: 'empty_answer' } },
  },
  {
    of: 'a stream with nothing in it that was paid for',
    origin: 'a report',
    asked: 'stream',
    api: 'responses',
    reply: {
      text: bytes([created, { ...done, response: { ...completed, output: [] } }], { mark: false }),
      headers: sse,
    },
    fails: { failure: 'give_up', mayBill: true, upstream: { code: 'empty_answer' } },
  },
]
