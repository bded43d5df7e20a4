import type OpenAI from 'openai'

/** A field of a request with a value that is not its default, and why Fairlead does not send it to OpenAI as it is. */
export interface RequestField {
  readonly value: unknown
  /** Fields that it needs, or that it is about. Default: none. */
  readonly with?: object
  /** Absent if it reaches OpenAI unchanged. */
  readonly differs?: string
  /** The status, if the request is rejected. Default: it is answered, and the field is left out or translated. */
  readonly status?: 400
}

const owned = 'costs more or belongs to the operator’s account, unless `allow` names it'
const stored = 'nothing is stored'
const rejected = { status: 400 } as const

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
const find = { name: 'find', description: 'Finds it.', parameters: schema }
const grammar = { syntax: 'lark', definition: 'start: "a"' }

type ChatParams = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming

const chatTools = [
  { type: 'function', function: find },
  { type: 'function', function: { ...find, name: 'seek', strict: true } },
  { type: 'custom', custom: { name: 'patch', format: { type: 'grammar', grammar } } },
]

/** Every field of a request for a chat completion. */
export const chatFields = {
  messages: {
    value: [
      { role: 'developer', content: 'Be brief.', name: 'host' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }], name: 'ada' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"a": 1 }' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'It is here.' },
      { role: 'user', content: 'Go on.' },
    ],
  },
  model: { value: 'gpt-5.4-mini' },
  audio: { value: { format: 'wav', voice: 'alloy' }, differs: owned },
  frequency_penalty: { value: 0.5 },
  function_call: { value: 'auto', with: { functions: [find] } },
  functions: { value: [find] },
  logit_bias: { value: { 50_256: -100 } },
  logprobs: { value: true },
  max_completion_tokens: { value: 100 },
  max_tokens: { value: 100, differs: 'is sent as `max_completion_tokens`, which every model takes' },
  metadata: { value: { order: '7' } },
  modalities: { value: ['text'] },
  moderation: { value: { model: 'omni-moderation-latest' } },
  n: { value: 2 },
  parallel_tool_calls: { value: false, with: { tools: chatTools } },
  prediction: { value: { type: 'content', content: 'Hello' }, differs: owned },
  presence_penalty: { value: 0 },
  prompt_cache_key: { value: 'session-1' },
  prompt_cache_options: { value: { mode: 'implicit' } },
  prompt_cache_retention: { value: '24h' },
  reasoning_effort: { value: 'high', with: { model: 'gpt-5.4-mini' } },
  response_format: { value: { type: 'json_schema', json_schema: { name: 'a', schema } } },
  safety_identifier: { value: 'user-1' },
  seed: { value: 7 },
  service_tier: { value: 'priority', differs: owned },
  stop: { value: 'END' },
  store: { value: true, differs: owned },
  stream: { value: true, with: { stream_options: { include_usage: true } } },
  stream_options: {
    value: { include_obfuscation: false },
    with: { stream: true },
    differs: 'Fairlead always asks for the usage, and its streams have no padding',
  },
  temperature: { value: 0.7 },
  tool_choice: { value: { type: 'custom', custom: { name: 'patch' } }, with: { tools: chatTools } },
  tools: { value: chatTools },
  top_logprobs: { value: 2, with: { logprobs: true } },
  top_p: { value: 1 },
  user: { value: 'ada' },
  verbosity: { value: 'low' },
  web_search_options: { value: { search_context_size: 'low' }, differs: owned },
} as const satisfies Readonly<Record<keyof ChatParams, RequestField>>

type ResponseParams = OpenAI.Responses.ResponseCreateParamsNonStreaming

const responseTools = [
  { type: 'function', ...find },
  { type: 'function', ...find, name: 'seek', strict: true },
  { type: 'custom', name: 'patch', format: { type: 'grammar', ...grammar } },
  { type: 'namespace', name: 'files', description: 'Files.', tools: [{ type: 'function', ...find }] },
]

/** Every field of a request for a response. */
export const responseFields = {
  access_programs: { value: [] },
  background: { value: true, ...rejected, differs: stored },
  context_management: { value: [{ type: 'compaction', compact_threshold: 200_000 }] },
  conversation: { value: 'conv_1', ...rejected, differs: stored },
  image: { value: {} },
  include: { value: ['message.output_text.logprobs'] },
  input: {
    value: [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
      { role: 'user', content: 'Hi' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'it' } },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'I look.', annotations: [], logprobs: [] }],
      },
      { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'find', arguments: '{"a": 1 }', status: 'completed' },
      { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'It is here.' }] },
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c2', name: 'patch', input: '*** a' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'Done.' },
    ],
  },
  instructions: { value: 'You are Ada.' },
  max_output_tokens: { value: 100 },
  max_tool_calls: { value: 3 },
  metadata: { value: { order: '7' } },
  model: { value: 'gpt-6.1-sol', with: { include: ['reasoning.encrypted_content'] } },
  moderation: { value: { model: 'omni-moderation-latest' } },
  parallel_tool_calls: { value: false },
  previous_response_id: { value: 'resp_1', ...rejected, differs: stored },
  prompt: { value: { id: 'pmpt_1' }, ...rejected, differs: stored },
  prompt_cache_key: { value: 'session-1' },
  prompt_cache_options: { value: { mode: 'implicit' } },
  prompt_cache_retention: { value: '24h' },
  reasoning: {
    value: { effort: 'max', summary: 'auto', context: 'all_turns' },
    with: { model: 'gpt-6.1-sol', include: ['reasoning.encrypted_content'] },
  },
  safety_identifier: { value: 'user-1' },
  service_tier: { value: 'flex', differs: owned },
  store: { value: true, differs: `${owned}; it is always sent as false` },
  stream: { value: true },
  stream_options: { value: { include_obfuscation: false }, with: { stream: true }, differs: 'is about padding alone' },
  temperature: { value: 0.7 },
  text: { value: { format: { type: 'json_schema', name: 'a', schema }, verbosity: 'low' } },
  tool_choice: {
    value: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'find' }] },
    with: { tools: responseTools },
  },
  tools: { value: responseTools },
  top_logprobs: { value: 2, with: { include: ['message.output_text.logprobs'] } },
  top_p: { value: 1 },
  truncation: { value: 'auto' },
  user: { value: 'ada' },
} as const satisfies Readonly<Record<keyof ResponseParams, RequestField>>

const tokenLogprobs = [{ token: 'Hi', bytes: [72, 105], logprob: -0.1, top_logprobs: [] }]

/** A chat completion with every field of its schema, and some that are not in it. */
export const wholeCompletion = {
  id: 'chatcmpl-BHqXz',
  object: 'chat.completion',
  created: 1_795_248_831,
  model: 'gpt-4.1-mini-2025-04-14',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'Hi',
        refusal: null,
        annotations: [
          {
            type: 'url_citation',
            url_citation: { start_index: 0, end_index: 2, title: 'A', url: 'https://a.example' },
          },
        ],
        audio: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'find', arguments: '{"a": "b" }' } },
          { id: 'c2', type: 'custom', custom: { name: 'patch', input: '*** a' } },
        ],
        new_in_message: { a: 1 },
      },
      logprobs: { content: tokenLogprobs, refusal: null },
      finish_reason: 'tool_calls',
      new_in_choice: [1],
    },
  ],
  usage: {
    prompt_tokens: 20,
    completion_tokens: 5,
    total_tokens: 25,
    prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 2,
      audio_tokens: 0,
      accepted_prediction_tokens: 1,
      rejected_prediction_tokens: 0,
    },
  },
  metadata: { order: '7' },
  moderation: null,
  service_tier: 'default',
  system_fingerprint: 'fp_6f2eabb9a5',
  new_in_completion: { b: 2 },
}

/** The same completion as a stream. */
export function completionChunks(): readonly object[] {
  const { choices, usage, ...head } = wholeCompletion
  const [{ message, logprobs, finish_reason, index, ...further }] = choices as [(typeof choices)[0]]
  const { content, annotations, tool_calls, new_in_message, role } = message
  const chunk = (delta: object, about: object = {}) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index, delta, logprobs: null, finish_reason: null, ...about }],
    usage: null,
  })
  return [
    chunk({ role, content: '', refusal: null }),
    chunk({ content }, { logprobs, ...further }),
    chunk({ annotations, new_in_message }),
    ...tool_calls.map((call, at) => chunk({ tool_calls: [{ index: at, ...call }] })),
    chunk({}, { finish_reason }),
    { ...head, object: 'chat.completion.chunk', choices: [], usage },
  ]
}

/** A response with every field of its schema, items of each kind, and some fields that are not in it. */
export const wholeResponse = {
  id: 'resp_68a1',
  object: 'response',
  created_at: 1_795_248_831,
  completed_at: 1_795_248_840,
  status: 'completed',
  access_programs: null,
  background: false,
  conversation: null,
  error: null,
  image: null,
  incomplete_details: null,
  input_transformations: null,
  instructions: 'You are Ada.',
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: { order: '7' },
  model: 'gpt-4.1-mini-2025-04-14',
  moderation: null,
  output: [
    {
      id: 'rs_1',
      type: 'reasoning',
      summary: [
        { type: 'summary_text', text: 'I look.' },
        { type: 'summary_text', text: 'It is there.' },
      ],
      encrypted_content: 'gAAAAB',
      status: 'completed',
    },
    { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'it' } },
    { id: 'ci_1', type: 'code_interpreter_call', status: 'completed', code: '1', container_id: 'c', outputs: null },
    { id: 'mcp_1', type: 'mcp_call', server_label: 'a', name: 'b', arguments: '{}', output: 'c', error: null },
    { id: 'new_1', type: 'new_call', status: 'completed', what: { a: 1 } },
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      phase: 'final_answer',
      content: [
        {
          type: 'output_text',
          text: 'Hi',
          annotations: [{ type: 'url_citation', start_index: 0, end_index: 2, title: 'A', url: 'https://a.example' }],
          logprobs: tokenLogprobs,
        },
        { type: 'output_text', text: ' there', annotations: [], logprobs: [] },
      ],
    },
    { id: 'fc_1', type: 'function_call', status: 'completed', call_id: 'c1', name: 'find', arguments: '{"a": 1 }' },
    { id: 'ctc_1', type: 'custom_tool_call', status: 'completed', call_id: 'c2', name: 'patch', input: '*** a' },
  ],
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt: null,
  prompt_cache_diagnostics: null,
  prompt_cache_key: 'session-1',
  prompt_cache_options: null,
  prompt_cache_retention: '24h',
  reasoning: { effort: null, summary: null },
  safety_identifier: 'user-1',
  service_tier: 'default',
  store: false,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tool_usage: null,
  tools: [{ type: 'function', ...find, strict: true }],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  usage: {
    input_tokens: 20,
    input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0, new_tokens: 1 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 25,
  },
  user: null,
  new_in_response: { b: 2 },
}

type ResponseField = Exclude<keyof OpenAI.Responses.Response, 'output_text'>
wholeResponse satisfies Readonly<Record<ResponseField, unknown>>
wholeCompletion satisfies Readonly<Record<keyof OpenAI.Chat.Completions.ChatCompletion, unknown>>
