import { describe, expect, test } from 'vitest'
import { misspelledVariables } from './misspelled-variables.ts'

const warn = (name: string, others: Readonly<Record<string, string>> = {}) =>
  misspelledVariables({ ...others, [name]: 'value' })

describe('misspelledVariables', () => {
  test.each([
    ['OPENAI_KEY', 'OPENAI_API_KEY'],
    ['OPENAI_APIKEY', 'OPENAI_API_KEY'],
    ['OPEN_AI_API_KEY', 'OPENAI_API_KEY'],
    ['OPENAI_TOKEN', 'OPENAI_API_KEY'],
    ['OPENAI_API_KYE', 'OPENAI_API_KEY'],
    ['OPNEAI_API_KEY', 'OPENAI_API_KEY'],
    ['openai_api_key', 'OPENAI_API_KEY'],
    ['OPENAI_BASEURL', 'OPENAI_BASE_URL'],
    ['ANTHROPIC_KEY', 'ANTHROPIC_API_KEY'],
    ['ANTROPIC_API_KEY', 'ANTHROPIC_API_KEY'],
    ['CLAUDE_API_KEY', 'ANTHROPIC_API_KEY'],
    ['GEMINI_KEY', 'GEMINI_API_KEY'],
    ['GOOGLE_APIKEY', 'GOOGLE_API_KEY'],
    ['GROQ_KEY', 'GROQ_API_KEY'],
    ['XAI_TOKEN', 'XAI_API_KEY'],
    ['AZURE_OPENAI_KEY', 'AZURE_OPENAI_API_KEY'],
    ['MISTRAL_API_TOKEN', 'MISTRAL_API_KEY'],
    ['OLLAMA_HOSTT', 'OLLAMA_HOST'],
  ])('misspelledVariables warns of %s, and suggests %s', (name, meant) => {
    expect(warn(name)).toEqual([`Unknown environment variable ${name}; did you mean ${meant}?`])
  })

  test.each([
    ['OPENAI_KEY', 'OPENAI_API_KEY'],
    ['CLAUDE_API_KEY', 'ANTHROPIC_API_KEY'],
    ['GEMINI_KEY', 'GOOGLE_API_KEY'],
    ['OPENAI_BASEURL', 'OPENAI_BASE_URL'],
  ])('misspelledVariables is silent about %s where %s is set', (name, set) => {
    expect(warn(name, { [set]: 'value' })).toEqual([])
  })

  test.each(
    (
      'OPENAI_API_KEY OPENAI_ORG_ID OPENAI_ORGANIZATION OPENAI_PROJECT_ID OPENAI_ADMIN_KEY OPENAI_WEBHOOK_SECRET OPENAI_MODEL ' +
      'OPENAI_API_BASE OPENAI_API_TYPE OPENAI_API_VERSION OPENAI_API_KEYS OPENAI_API_BASE_URL OPENAI_API_BASE_URLS OPENAI_API_KEY_2 ' +
      'ANTHROPIC_MODEL ANTHROPIC_AUTH_TOKEN ANTHROPIC_CUSTOM_HEADERS ANTHROPIC_SMALL_FAST_MODEL ANTHROPIC_BEDROCK_BASE_URL ' +
      'CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CONFIG_DIR GEMINI_MODEL GEMINI_API_KEY_1 GOOGLE_APPLICATION_CREDENTIALS GOOGLE_SECRET ' +
      'GOOGLE_CLIENT_SECRET GOOGLE_CLOUD_PROJECT AZURE_OPENAI_ENDPOINT AZURE_OPENAI_API_VERSION AZURE_OPENAI_DEPLOYMENT ' +
      'OLLAMA_MODELS OLLAMA_BASE_URL OLLAMA_ORIGINS OLLAMA_KEEP_ALIVE OLLAMA_CONTEXT_LENGTH VLLM_USE_V1 LLM_API_KEY ' +
      'ZAI_API_KEY AI_API_KEY GROK_API_KEY GENAI_API_KEY VENICE_API_KEY HF_TOKEN GITHUB_TOKEN API_KEY KEY PATH HOST'
    ).split(' '),
  )('misspelledVariables is silent about %s, which other programs use', (name) => {
    expect(warn(name)).toEqual([])
  })

  test('misspelledVariables is silent about an empty variable', () => {
    expect(misspelledVariables({ OPENAI_KEY: '' })).toEqual([])
  })
})
