import type { AnswerPart, ContentPartInput, Generation } from '../methods.ts'
import { isWrittenInput } from '../messages/message.ts'

type ToolCallPart = Extract<AnswerPart, { readonly type: 'tool_call' }>

/** A call of a tool, as its handler takes it. */
export interface ToolCall extends Pick<ToolCallPart, 'id' | 'name' | 'input'> {
  /** The text that the model wrote in place of a JSON object. `input` is then empty. */
  readonly inputText?: string | undefined
}

/** An answer as a message of a conversation. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: readonly AnswerPart[]
}

/** A generation in a program that embeds Fairlead, with shortcuts to its parts. */
export interface GeneratedText extends Generation {
  /** The calls of tools. */
  readonly toolCalls: readonly ToolCall[]
  /** The reasoning of the model. Empty if the provider does not show it. */
  readonly reasoning: string
  /** The answer as a message, to append to `messages`. */
  readonly message: AssistantMessage
}

class Views {
  declare readonly parts: readonly AnswerPart[]

  get toolCalls(): readonly ToolCall[] {
    return toolCallsIn(this.parts)
  }

  get reasoning(): string {
    return this.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
  }

  get message(): AssistantMessage {
    return { role: 'assistant', content: this.parts }
  }
}

export function withViews<Fields extends Generation>(fields: Fields): Fields & GeneratedText {
  return Object.assign(new Views(), fields)
}

export function toolCallsIn(parts: readonly (AnswerPart | ContentPartInput)[]): readonly ToolCall[] {
  return parts.flatMap((part) => (part.type === 'tool_call' ? [toToolCall(part)] : []))
}

function toToolCall(part: Readonly<ToolCallPart>): ToolCall {
  const { id, name, input, inputText } = part
  return { id, name, input, ...(!isWrittenInput(part) && { inputText }) }
}
