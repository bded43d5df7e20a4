/** A value for everything in the published schemas of the Messages API: the types keep the tables complete. */
import type {
  BetaContentBlock,
  BetaContentBlockParam,
  BetaMessage,
  BetaStopReason,
  BetaTextCitation,
  BetaUsage,
  MessageCreateParams,
} from '@anthropic-ai/sdk/resources/beta/messages'

export type Fields = Readonly<Record<string, unknown>>

const model = 'claude-opus-5-5'
export const user = { role: 'user', content: 'Rain in Oslo?' }
export const basic = { model, max_tokens: 2_000, messages: [user] }
export const find = {
  name: 'find',
  input_schema: { type: 'object', properties: { q: { type: 'string', maxLength: 9 } } },
}
const ephemeral = { cache_control: { type: 'ephemeral', ttl: '1h' } }

/** The names that an operator allows, so that nothing is left out. */
export const everything = [
  'tools',
  'speed',
  'inference_geo',
  'container',
  'mcp_servers',
  'fallbacks',
  'billing_policy',
  'thread',
  'file_id',
]

/** Headers of the account, which is the operator's. */
export const accountHeaders = {
  user_profile_id: { user_profile_id: 'profile_01' },
  workspace_id: { workspace_id: 'wrkspc_01' },
}

/** A value for every field of the published request. */
export const requestFields = {
  model: { model: 'claude-haiku-4-5-20251001' },
  max_tokens: { max_tokens: 9 },
  messages: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...ephemeral }] }] },
  stream: { stream: true },
  system: { system: [{ type: 'text', text: 'Be brief.', ...ephemeral }] },
  tools: { tools: [find] },
  tool_choice: { tools: [find], tool_choice: { type: 'any', disable_parallel_tool_use: true } },
  thinking: { thinking: { type: 'adaptive', display: 'omitted' } },
  output_config: {
    output_config: {
      effort: 'max',
      task_budget: { type: 'tokens', total: 20_000 },
      format: { type: 'json_schema', schema: { type: 'object', properties: { n: { type: 'integer', maximum: 9 } } } },
    },
  },
  output_format: { output_format: { type: 'json_schema', schema: { type: 'object', properties: {} } } },
  stop_sequences: { stop_sequences: ['END', '\n', 'c', 'd', 'e'] },
  metadata: { metadata: { user_id: 'ada' } },
  cache_control: ephemeral,
  compaction: { compaction: { type: 'enabled' } },
  context_management: { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } },
  diagnostics: { diagnostics: { previous_message_id: 'msg_00' } },
  fallback_credit_token: { fallback_credit_token: 'fct_01' },
  service_tier: { service_tier: 'standard_only' },
  betas: { betas: ['context-management-2025-06-27'] },
  billing_policy: { billing_policy: { type: 'billing_policy', bill_to: 'user_profile' } },
  container: { container: { id: 'container_01', skills: [] } },
  fallbacks: { fallbacks: [{ model: 'claude-opus-5' }] },
  inference_geo: { inference_geo: 'us' },
  mcp_servers: { mcp_servers: [{ type: 'url', name: 'a', url: 'https://mcp.example' }] },
  speed: { speed: 'fast' },
  thread: { thread: { type: 'create' } },
  ...accountHeaders,
} satisfies Record<keyof MessageCreateParams, Fields>

/** Of earlier versions of the API and of other clients, and what nobody knows yet. */
export const furtherFields = {
  temperature: { temperature: 1 },
  top_p: { top_p: 0.9 },
  both: { temperature: 0.7, top_p: 0.9 },
  top_k: { top_k: 5 },
  budget: { model: 'claude-haiku-4-5', thinking: { type: 'enabled', budget_tokens: 1_024 } },
  null: { metadata: null, context_management: null },
  tomorrow: { field_of_tomorrow: { a: [null, 1] } },
}

/** The fields that are left out unless the operator allows them, and why. */
export const leftOut = {
  billing_policy: 'bills somebody else than the operator',
  container: 'is stored in the account of the operator, and may run its skills',
  fallbacks: 'may answer with a dearer model',
  inference_geo: 'has a price of its own, and a default in the account of the operator',
  mcp_servers: 'has the API call servers',
  speed: 'costs more',
  thread: 'stores the conversation in the account of the operator',
} satisfies Partial<Record<keyof MessageCreateParams, string>>

export const toolUse = { type: 'tool_use', id: 'toolu_01', name: 'find', input: { q: 'Oslo' } }
const searched = { type: 'server_tool_use', id: 'srvtoolu_01', name: 'web_search', input: { query: 'Oslo' } }
const found = {
  type: 'web_search_result',
  url: 'https://a.example',
  title: 'Oslo',
  encrypted_content: 'x',
  page_age: null,
}
const codeResult = { type: 'code_execution_result', stdout: '1', stderr: '', return_code: 0, content: [] }
const bashResult = { ...codeResult, type: 'bash_code_execution_result' }
const called = { caller: { type: 'direct' } }
const ofServer = (type: string, content: unknown, more: Fields = {}) => ({
  type,
  tool_use_id: 'srvtoolu_01',
  content,
  ...more,
})

/** Citations of every kind. */
const citations = {
  char_location: {
    type: 'char_location',
    cited_text: 'Wet.',
    document_index: 0,
    document_title: null,
    file_id: null,
    start_char_index: 0,
    end_char_index: 4,
  },
  page_location: {
    type: 'page_location',
    cited_text: 'Wet.',
    document_index: 0,
    document_title: 'Rain',
    file_id: null,
    start_page_number: 1,
    end_page_number: 2,
  },
  content_block_location: {
    type: 'content_block_location',
    cited_text: 'Wet.',
    document_index: 0,
    document_title: null,
    file_id: null,
    start_block_index: 0,
    end_block_index: 1,
  },
  web_search_result_location: {
    type: 'web_search_result_location',
    cited_text: 'Wet.',
    encrypted_index: 'x',
    title: null,
    url: 'https://a.example',
  },
  search_result_location: {
    type: 'search_result_location',
    cited_text: 'Wet.',
    search_result_index: 0,
    source: 'a',
    start_block_index: 0,
    end_block_index: 1,
    title: null,
  },
} satisfies { [Type in BetaTextCitation['type']]: Extract<BetaTextCitation, { type: Type }> }

/** A block of an answer of every type. */
export const answerBlocks = {
  text: { type: 'text', text: 'It rains.', citations: Object.values(citations) },
  thinking: { type: 'thinking', thinking: 'Hm.', signature: 'EqQBCgIYAg' },
  redacted_thinking: { type: 'redacted_thinking', data: 'EmwKAhgB' },
  tool_use: { ...toolUse, ...called, toolset_name: null },
  server_tool_use: { ...searched, ...called },
  web_search_tool_result: ofServer('web_search_tool_result', [found], called),
  web_fetch_tool_result: ofServer('web_fetch_tool_result', { type: 'web_fetch_tool_result_error', error_code: 'x' }),
  advisor_tool_result: ofServer('advisor_tool_result', { type: 'advisor_result', text: 'Wait.' }),
  code_execution_tool_result: ofServer('code_execution_tool_result', codeResult),
  bash_code_execution_tool_result: ofServer('bash_code_execution_tool_result', bashResult),
  text_editor_code_execution_tool_result: ofServer('text_editor_code_execution_tool_result', { file_type: 'text' }),
  tool_search_tool_result: ofServer('tool_search_tool_result', { type: 'tool_search_tool_search_result' }),
  mcp_tool_use: { type: 'mcp_tool_use', id: 'mcptoolu_01', name: 'look', server_name: 'a', input: { q: 1 } },
  mcp_tool_result: { ...ofServer('mcp_tool_result', [{ type: 'text', text: 'Wet.' }]), is_error: false },
  mcp_tool_listing: { type: 'mcp_tool_listing', mcp_server_name: 'a', tools: [] },
  container_upload: { type: 'container_upload', file_id: 'file_01' },
  compaction: { type: 'compaction', content: 'They greeted.', encrypted_content: 'x' },
  fallback: { type: 'fallback', from: { model: 'a' }, to: { model: 'b' }, trigger: { type: 'refusal' } },
} satisfies Record<BetaContentBlock['type'], Fields>

/** A block of a request of every type. */
export const requestBlocks = {
  ...answerBlocks,
  text: { ...answerBlocks.text, ...ephemeral },
  image: { type: 'image', source: { type: 'file', file_id: 'file_01' }, ...ephemeral },
  document: {
    type: 'document',
    source: { type: 'content', content: [{ type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } }] },
    title: 'Rain',
    context: 'Of Oslo.',
    citations: { enabled: true },
  },
  search_result: {
    type: 'search_result',
    source: 'a',
    title: 'Rain',
    content: [{ type: 'text', text: 'Wet.' }],
    citations: { enabled: true },
  },
  tool_result: {
    type: 'tool_result',
    tool_use_id: 'toolu_01',
    content: [{ type: 'tool_reference', tool_name: 'find' }],
    is_error: false,
    ...ephemeral,
  },
  tool_addition: { type: 'tool_addition', tools: [{ type: 'tool_reference', tool_name: 'find' }] },
  tool_removal: { type: 'tool_removal', tools: [{ type: 'tool_reference', tool_name: 'find' }] },
  block_of_tomorrow: { type: 'block_of_tomorrow', a: [null, 1] },
} satisfies Record<BetaContentBlockParam['type'] | 'block_of_tomorrow', Fields>

const ofUser = new Set(['image', 'document', 'search_result', 'tool_result', 'block_of_tomorrow'])
const ofSystem = new Set(['tool_addition', 'tool_removal'])

/** Messages with the block in the place where the API takes it. */
export function messagesWith(block: Fields): readonly Fields[] {
  const type = String(block['type'])
  if (ofSystem.has(type)) return [user, { role: 'system', content: [block], clear_at: 'never' }]
  const text = { type: 'text', text: 'Well?' }
  if (type === 'tool_result')
    return [user, { role: 'assistant', content: [toolUse] }, { role: 'user', content: [block, text] }]
  if (ofUser.has(type)) return [{ role: 'user', content: [block, text] }]
  const result = { type: 'tool_result', tool_use_id: 'toolu_01', content: 'Yes.' }
  const more = type === 'tool_use' ? [result, text] : [text]
  return [
    user,
    { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, block] },
    { role: 'user', content: more },
  ]
}

/** A tool of every type. Versions of a type have the same rules. */
export const tools = [
  {
    type: 'custom',
    ...find,
    name: 'look',
    ...ephemeral,
    strict: false,
    defer_loading: true,
    input_examples: [{ q: 'a' }],
  },
  ...['bash_20250124', 'memory_20250818', 'text_editor_20250728'].map((type) => ({ type, name: 'a' })),
  ...['computer_20251124', 'computer_toolset_20260801', 'browser_toolset_20260801'].map((type) => ({
    type,
    name: 'a',
  })),
  ...['tool_search_tool_bm25_20251119', 'tool_search_tool_regex_20251119'].map((type) => ({ type, name: 'a' })),
  ...['web_search_20260318', 'web_fetch_20260318', 'code_execution_20260521', 'advisor_20260301'].map((type) => ({
    type,
    name: 'a',
  })),
  { type: 'mcp_toolset', mcp_server_name: 'a' },
] as readonly (Fields & { readonly type: string })[]

export const usage = {
  input_tokens: 12,
  output_tokens: 6,
  cache_creation: { ephemeral_1h_input_tokens: 3, ephemeral_5m_input_tokens: 4 },
  cache_creation_input_tokens: 7,
  cache_read_input_tokens: 100,
  fallback_credit: null,
  inference_geo: 'global',
  iterations: null,
  output_tokens_details: { thinking_tokens: 2 },
  server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
  service_tier: 'standard',
  speed: 'standard',
} satisfies BetaUsage

export const message = {
  id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-5-5-20261007',
  container: { id: 'container_01', expires_at: '2026-11-24T00:00:00Z', skills: null },
  content: [{ type: 'text', text: 'It rains.', citations: null }],
  context_management: { applied_edits: [] },
  diagnostics: null,
  input_transformations: [],
  stop_details: null,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
} satisfies BetaMessage

/** An ending of every kind. */
export const endings = {
  end_turn: {},
  max_tokens: {},
  stop_sequence: { stop_sequence: 'END' },
  tool_use: { content: [answerBlocks.tool_use] },
  pause_turn: { content: [answerBlocks.server_tool_use] },
  compaction: { content: [answerBlocks.compaction] },
  refusal: {
    stop_details: {
      type: 'refusal',
      category: 'bio',
      explanation: 'Not that.',
      fallback_credit_token: 'fct_01',
      fallback_has_prefill_claim: false,
      recommended_model: null,
    },
  },
  model_context_window_exceeded: {},
} satisfies Record<BetaStopReason, Fields>
