import type { FinishReason } from '@fairlead/core/provider'
import {
  call,
  chunk,
  counts,
  greeting,
  message,
  naming,
  pieces,
  streamed,
  whole,
  type Origin,
  type RealReply,
} from './reply-builders.ts'

const cutCall = [
  chunk({ tool_calls: [call('', { index: 0 })] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":"Li' } }] }),
]
const finishes = (
  of: string,
  origin: Origin,
  reason: unknown,
  finishReason: FinishReason = 'stop',
  warns?: true,
): readonly RealReply[] => {
  const answer = { ...greeting, finishReason, ...(warns && { warns }) }
  return [
    {
      of: `${of}, finish reason ${JSON.stringify(reason)}`,
      origin,
      asked: 'whole',
      reply: whole(message, reason),
      answer,
    },
    {
      of: `${of}, finish reason ${JSON.stringify(reason)}`,
      origin,
      asked: 'stream',
      reply: streamed([...pieces, chunk({}, reason), counts]),
      answer,
    },
  ]
}

/** Spellings and places of finish reasons. */
export const endings: readonly RealReply[] = [
  ...finishes('Gemini’s compatible API', 'a report', 'MAX_TOKENS', 'length'),
  ...finishes('Gemini’s compatible API', 'a report', 'SAFETY', 'content_filter'),
  ...finishes('Gemini’s compatible API', 'assumed', 'STOP'),
  ...finishes('LiteLLM over Responses', 'assumed', 'max_output_tokens', 'length'),
  ...finishes('LiteLLM over Anthropic', 'SDK types', 'end_turn'),
  ...finishes('LiteLLM over Cohere', 'SDK types', 'COMPLETE'),
  ...finishes('LiteLLM over Bedrock', 'SDK types', 'guardrail_intervened', 'content_filter'),
  ...finishes('the AI SDK’s words', 'SDK types', 'content-filter', 'content_filter'),
  ...finishes('TGI', 'documentation', 'eos_token'),
  ...finishes('Mistral', 'SDK types', 'model_length', 'length'),
  ...finishes('LM Studio', 'SDK types', 'maxPredictedTokensReached', 'length'),
  ...finishes('LM Studio', 'SDK types', 'eosFound'),
  ...finishes('Z.ai', 'documentation', 'sensitive', 'content_filter'),
  ...finishes('Together', 'SDK types', 'eos'),
  ...finishes('a server with a word of its own', 'assumed', 'because', 'stop', true),
  {
    of: 'DashScope: "" on each chunk',
    origin: 'a report',
    asked: 'stream',
    reply: streamed([chunk({ content: 'Hello' }, ''), chunk({ content: ' there' }, ''), chunk({}, 'stop'), counts]),
    answer: { ...greeting, finishReason: 'stop' },
  },
  {
    of: 'Ollama: "" in the chunk after the reason',
    origin: 'assumed',
    asked: 'stream',
    reply: streamed([...pieces, chunk({}, 'length'), chunk({ content: '' }, ''), counts]),
    answer: { ...greeting, finishReason: 'length' },
  },
  {
    of: 'a proxy that never sends a reason',
    origin: 'a report',
    asked: 'stream',
    reply: streamed([...pieces, counts]),
    answer: { ...greeting, finishReason: 'stop', warns: true },
  },
  {
    of: 'a stream without a reason and without an end mark',
    origin: 'assumed',
    asked: 'stream',
    reply: streamed(pieces, false),
    fails: { failure: 'retry', message: naming('choices.0.finish_reason') },
  },
  {
    of: 'Gemini’s compatible API: a tool call cut in the middle',
    origin: 'a report',
    asked: 'stream',
    reply: streamed([...cutCall, chunk({}, 'MAX_TOKENS'), counts]),
    answer: { text: '', calls: [['get_weather', '{"city":"Li']], finishReason: 'length' },
  },
  {
    of: 'a tool call cut in the middle, with an unknown reason',
    origin: 'assumed',
    asked: 'stream',
    reply: streamed([...cutCall, chunk({}, 'because'), counts]),
    answer: { text: '', calls: [['get_weather', '{"city":"Li']], finishReason: 'length', warns: true },
  },
  {
    of: 'a tool call cut in the middle, with an unknown reason',
    origin: 'assumed',
    asked: 'whole',
    reply: whole({ content: null, tool_calls: [call('{"city":"Li')] }, 'because'),
    answer: { text: '', calls: [['get_weather', '{"city":"Li']], finishReason: 'length', warns: true },
  },
  {
    of: 'DeepSeek out of capacity',
    origin: 'documentation',
    asked: 'whole',
    reply: whole(message, 'insufficient_system_resource'),
    fails: { failure: 'retry' },
  },
  {
    of: 'SGLang: an aborted request',
    origin: 'documentation',
    asked: 'stream',
    reply: streamed([...pieces, chunk({}, 'abort')]),
    fails: { failure: 'retry' },
  },
]
