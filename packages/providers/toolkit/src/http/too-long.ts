import type { ProviderFailure } from '@fairlead/core/provider'

interface Wording {
  readonly of: string
  readonly words: RegExp
  /** Where the message was seen. */
  readonly source: string
  /** Whether other errors say it, too: then only a rejected request is meant. */
  readonly isVague?: true
}

/** How servers say that a prompt exceeds the context of the model. Codes say it, too, but few servers send one. */
export const contextWordings: readonly Wording[] = [
  {
    of: 'OpenAI, Azure, vLLM, DeepSeek, OpenRouter',
    words: /\bmaximum context length (?:is|of)\b/i,
    source: 'https://github.com/langchain-ai/langchain/issues/11001',
  },
  {
    of: "OpenAI's Responses API",
    words: /\bexceeds the context window\b/i,
    source: 'assumed from the documentation of the Responses API',
  },
  {
    of: 'vLLM and Xinference',
    words: /\bprompt \(?(?:length )?(?:of )?\d+\)? is longer than the maximum model length\b/i,
    source: 'https://github.com/xorbitsai/inference/issues/3785',
  },
  {
    of: 'SGLang and Together',
    words: /\bis longer than the model['’]?s context length\b/i,
    source: 'assumed from the source of SGLang',
  },
  {
    of: 'TGI and Together',
    words: /`inputs` (?:tokens \+ `max_new_tokens` must be <=|must have less than \d+ tokens)/i,
    source: 'https://github.com/BerriAI/litellm/issues/4934',
  },
  {
    of: 'Anthropic, and gateways to it',
    words: /\bprompt is too long\b|\bexceeds? (?:the )?context limit\b/i,
    source: 'https://github.com/earendil-works/pi/issues/102',
  },
  {
    of: 'Bedrock',
    words: /\binput is too long for requested model\b|\btoo many input tokens\. max input tokens\b/i,
    source: 'https://github.com/aws-samples/bedrock-chat/issues/95',
  },
  {
    of: 'DashScope',
    words: /\brange of input length should be\b/i,
    source: 'https://github.com/QwenLM/qwen-code/issues/98',
  },
  {
    of: 'Groq and Cerebras',
    words: /\breduce the length of (?:the|your) (?:messages|prompt)\b/i,
    source: 'https://github.com/smol-ai/developer/issues/7',
  },
  {
    of: 'Cohere',
    words: /\btoo many tokens: (?:the )?total number of tokens\b/i,
    source: 'https://github.com/cohere-ai/sandbox-topically/issues/4',
  },
  {
    of: 'Gemini',
    words: /\binput token count\b.{0,40}\bexceeds the maximum\b/i,
    source: 'https://github.com/google-gemini/gemini-cli/issues/6678',
  },
  { of: 'xAI', words: /\bmaximum prompt length is \d/i, source: 'assumed from the source of coding agents' },
  {
    of: 'Moonshot',
    words: /\bexceeded model token limit\b/i,
    source: 'https://github.com/MoonshotAI/kimi-cli/issues/2011',
  },
  {
    of: 'Mistral',
    words: /\btoo large for model with \d+ maximum context length\b/i,
    source: 'assumed from the source of coding agents',
  },
  {
    of: 'llama.cpp',
    words: /\bexceeds the available context size\b/i,
    source: 'https://github.com/ggml-org/llama.cpp/pull/15780',
  },
  {
    of: 'llama-cpp-python',
    words: /\brequested tokens \(\d+\) exceed context window\b/i,
    source: 'https://github.com/abetlen/llama-cpp-python/issues/416',
  },
  {
    of: 'Ollama',
    words:
      /\bprompt too long; exceeded (?:max )?context length\b|\binput length exceeds the (?:maximum )?context length\b/i,
    source: 'assumed from the source of coding agents',
  },
  {
    of: 'LM Studio',
    words: /\bgreater than the context length\b|\bloaded with context length of only\b/i,
    source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/546',
  },
  {
    of: "OpenRouter's Poolside",
    words: /\bexceeds the maximum allowed input length\b/i,
    source: 'assumed from the source of coding agents',
  },
  {
    of: 'GitHub Copilot',
    words: /\bprompt token count of \d+ exceeds the limit\b/i,
    source: 'assumed from the source of coding agents',
  },
  { of: 'MiniMax', words: /\bcontext window exceeds limit\b/i, source: 'assumed from the source of coding agents' },
  { of: 'Z.ai', words: /\bprompt exceeds max length\b/i, source: 'assumed from the documentation of its error codes' },
  {
    of: 'servers that word it in their own way',
    words: /\bcontext[ _](?:length|size|window|limit)\b|\binput token count\b|\btoken limit exceeded\b/i,
    source: 'assumed',
    isVague: true,
  },
]

/** Failures that other errors share, so that words decide. */
const vagueFailures: ReadonlySet<ProviderFailure> = new Set(['invalid_request', 'too_long'])
const wordedFailures: ReadonlySet<ProviderFailure> = new Set([...vagueFailures, 'retry', 'give_up'])

/** Whether a message that stands for a failure says that the prompt exceeds the context of the model. */
export function exceedsContext(message: string, failure: ProviderFailure): boolean {
  if (!wordedFailures.has(failure)) return false
  return contextWordings.some(({ words, isVague }) => (!isVague || vagueFailures.has(failure)) && words.test(message))
}

/** OpenAI, Azure, Groq: the whole limit is too small for the request. */
const tooLargeForLimit = /\brequest too large for\b/i
const limitWords = /\blimit(?: is| of)?\b[\s:=(]*(\d[\d,]*)/i
const requestedWords = /\brequest(?:ed|s|ing)?\b(?: about| for| of| has| contains| tokens)*[\s:=(]*(\d[\d,]*)/i

/**
 * The size of a request that a rate limit can never let pass, in tokens, because it is larger than the limit. Undefined if
 * the request may pass later.
 */
export function requestedBeyondLimit(message: string): number | undefined {
  const requested = numberIn(requestedWords, message)
  const limit = numberIn(limitWords, message)
  if (requested !== undefined && limit !== undefined) return requested > limit ? requested : undefined
  return tooLargeForLimit.test(message) ? (requested ?? 0) : undefined
}

function numberIn(words: RegExp, message: string): number | undefined {
  const [, digits] = words.exec(message) ?? []
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''))
}
