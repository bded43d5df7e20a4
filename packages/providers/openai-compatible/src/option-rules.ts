import { isObject, type OptionRules } from '@fairlead/core/provider'

/**
 * The fields of chat completions, the Responses API, and embeddings that cost more, use what is stored in the operator's
 * account, or change settings of the server. A server that does not know a field would reject or ignore it, so that one
 * table is enough for all. Checked on 2026-11-22.
 */
export const optionRules: OptionRules = {
  fields: {
    // OpenAI: https://developers.openai.com/api/reference. Groq's default is `on_demand`.
    service_tier: ['auto', 'default', 'standard', 'on_demand'],
    store: [false],
    modalities: [['text']],
    ...never('prediction web_search_options audio'),
    // Azure: https://learn.microsoft.com/azure/ai-services/openai/references/on-your-data
    ...never('data_sources'),
    // OpenRouter: https://openrouter.ai/docs/api-reference. Its plugins and upstreams have separate prices.
    ...never('plugins preset provider.order provider.only provider.ignore'),
    'provider.sort': ['price'],
    'provider.data_collection': ['deny'],
    // xAI and Perplexity: searches are billed apart. xAI keeps deferred answers in the account.
    search_parameters: [{ mode: 'off' }],
    deferred: [false],
    search_type: ['fast'],
    // Groq's systems of models and tools.
    ...never('compound_custom search_settings'),
    // vLLM and SGLang: https://docs.vllm.ai/en/latest/serving/openai_compatible_server. A template is a program that the
    // server runs, a grammar can hold it for minutes, and a priority passes the other users.
    ...never('chat_template chat_template_kwargs.chat_template chat_template_kwargs.tokenize'),
    ...never('guided_json guided_regex guided_choice guided_grammar guided_decoding_backend guided_whitespace_pattern'),
    ...never('structured_outputs structural_tag regex ebnf logits_processors custom_logit_processor lora_path'),
    // Embeddings in the place of a prompt are loaded as a program may be.
    ...never('prompt_embeds'),
    ...never('mm_processor_kwargs media_io_kwargs kv_transfer_params vllm_xargs'),
    priority: [0],
    use_beam_search: [false],
    // llama.cpp's server: https://github.com/ggml-org/llama.cpp/tree/master/tools/server
    ...never('grammar json_schema lora'),
    id_slot: [-1],
    slot_id: [-1],
    // Ollama and LM Studio: how long a model stays loaded, and with which memory.
    ...never('options num_ctx num_gpu num_thread num_batch keep_alive template ttl draft_model'),
    raw: [false],
  },
  // A file that is stored in the account.
  stored: ['file_id'],
  known: (
    'user metadata verbosity logit_bias logprobs top_logprobs response_format stop prompt_cache_key ' +
    'prompt_cache_retention safety_identifier parallel_tool_calls instructions include reasoning text truncation ' +
    'max_tool_calls client_metadata input n functions function_call prompt max_tokens echo best_of suffix ' +
    'size quality style background moderation output_format output_compression complexity frame_count frame_duration_ms'
  ).split(' '),
  ofParts: never('type file_id file file_url image_url input_audio'),
  tools: {
    // A namespace contains tools.
    typesOf: (tool) => [tool['type'], ...innerTypes(tool), ...innerTypes(tool['namespace'])],
    free: ['function', 'custom', 'namespace', 'computer', 'local_shell', 'apply_patch', 'tool_search'],
    hosted: (
      'web_search code_interpreter file_search image_generation mcp shell browser_search x_search code_execution ' +
      'collections_search document_library openrouter'
    ).split(' '),
  },
}

/** Fields of which no value passes. */
function never(names: string): OptionRules['fields'] {
  return Object.fromEntries(names.split(' ').map((name) => [name, []]))
}

function innerTypes(group: unknown): readonly unknown[] {
  if (!isObject(group) || !Array.isArray(group['tools'])) return []
  return group['tools'].map((tool: unknown) => (isObject(tool) ? tool['type'] : tool))
}
