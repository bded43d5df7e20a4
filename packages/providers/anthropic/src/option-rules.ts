import type { OptionRules } from '@fairlead/core/provider'

/**
 * The fields of the Messages API that cost more or use what is stored in the operator's account:
 * https://platform.claude.com/docs/en/api/messages (checked 2026-11-22)
 */
export const optionRules: OptionRules = {
  fields: {
    // `auto` is the default: it uses the priority tier only if the operator has committed to one.
    service_tier: ['auto', 'standard_only'],
    speed: ['standard'],
    // The operator's workspace decides the default.
    inference_geo: [],
    container: [],
    mcp_servers: [],
    store: [false],
    fallbacks: [],
    // The other value bills somebody else than the operator.
    billing_policy: [{ type: 'billing_policy' }, { type: 'billing_policy', bill_to: 'self' }],
    // The API then stores the conversation.
    thread: [],
  },
  // A file of the Files API, which belongs to the operator's workspace.
  stored: ['file_id'],
  known: [
    'anthropic_beta',
    'anthropic_version',
    'cache_control',
    'compaction',
    'context_management',
    'diagnostics',
    'fallback_credit_token',
    'max_tokens',
    'metadata',
    'output_config',
    'output_format',
    'stop_sequences',
    'system',
    'temperature',
    'thinking',
    'top_k',
    'top_p',
  ],
  // Another type would make a function a tool that Anthropic runs, or a text another block.
  ofParts: { type: ['custom', 'tool_reference'] },
  tools: {
    typesOf: ({ type }) => [type ?? 'custom'],
    free: ['custom', 'bash', 'text_editor', 'computer', 'browser_toolset', 'memory', 'tool_search_tool'],
    hosted: ['web_search', 'web_fetch', 'code_execution', 'mcp_toolset', 'advisor'],
  },
}
