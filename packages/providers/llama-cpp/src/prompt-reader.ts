import { type Message, ProviderError } from '@fairlead/core/provider'
import type { ChatWrapper, LlamaModel, Token } from 'node-llama-cpp'
import { joinTexts, toChatHistory } from './chat-history.ts'
import { readMessage, type ModelFile } from './model-file.ts'
import type { ThoughtMarks } from './thought-filter.ts'

/** A prompt as the model receives it. */
export interface ReadPrompt {
  readonly tokens: readonly Token[]
  /** The tokens before the response, which decide about its first space: none in a chat, else the prompt. */
  readonly before: readonly Token[]
  /** Tokens that end a response in this template, besides the end tokens of the vocabulary. */
  readonly ends: ReadonlySet<Token>
  /** How the model marks its reasoning, if it reasons. */
  readonly thoughts: ThoughtMarks | undefined
}

export type PromptReader = (messages: readonly Message[]) => ReadPrompt

/**
 * Tokenizes prompts with the model's own tokenizer and chat template, if it has one. Special tokens in the prompt stay
 * plain text.
 */
export function promptReader({ binding, model: { chat } }: ModelFile, model: LlamaModel): PromptReader {
  if (!chat) {
    const start = startTokens(model)
    return (messages) => {
      const text = messages.map(({ content }) => joinTexts(content)).join('\n')
      const tokens = [...start, ...model.tokenize(text)]
      return { tokens, before: tokens, ends: new Set(), thoughts: undefined }
    }
  }
  const wrapper: ChatWrapper = binding.resolveChatWrapper(model, { warningLogs: false })
  const thoughts = findThoughtMarks(wrapper)
  return (messages) => {
    const { contextText, stopGenerationTriggers } = rendered(wrapper, messages)
    const triggers = stopGenerationTriggers.map((trigger) => trigger.tokenize(model.tokenizer))
    return {
      tokens: contextText.tokenize(model.tokenizer),
      before: [],
      ends: new Set(triggers.flatMap((trigger) => (trigger.length === 1 ? trigger : []))),
      thoughts: thoughts && thoughtsAfter(plain(contextText), thoughts),
    }
  }
}

/** Some templates accept only certain orders of roles. */
function rendered(wrapper: ChatWrapper, messages: readonly Message[]) {
  try {
    return wrapper.generateContextState({ chatHistory: toChatHistory(messages) })
  } catch (cause) {
    const detail = `the model's chat template rejects this conversation: ${readMessage(cause)}`
    throw new ProviderError('invalid_request', detail, { field: 'messages', detail, cause })
  }
}

function startTokens({ tokens }: LlamaModel): readonly Token[] {
  return tokens.shouldPrependBosToken && tokens.bos !== null ? [tokens.bos] : []
}

function findThoughtMarks({ settings }: ChatWrapper): ThoughtMarks | undefined {
  const thought = settings.segments?.thought
  if (!thought?.suffix) return undefined
  const { prefix } = thought
  const openedByTemplate = typeof prefix === 'object' && 'type' in prefix && prefix.type === 'openedOnStart'
  const begin = openedByTemplate ? '' : plain(prefix)
  const end = plain(thought.suffix)
  return end && (openedByTemplate || begin) ? { begin, end, openedByTemplate } : undefined
}

/**
 * The block of reasoning that a template has begun or ended itself. Templates that end an empty block of reasoning turn
 * it off.
 */
function thoughtsAfter(context: string, marks: ThoughtMarks): ThoughtMarks | undefined {
  if (context.endsWith(marks.end)) return undefined
  return { ...marks, openedByTemplate: marks.openedByTemplate || context.endsWith(marks.begin) }
}

function plain(text: { toString(): string } | string): string {
  return text.toString().trim()
}
