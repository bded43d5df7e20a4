import { type Message, type ProviderCall, answerText, type TextRequest } from '@fairlead/core/provider'
import { messageText } from '../message-text.ts'
import { type ChooseTurn, scriptedTurn } from '../mirror/mirror.ts'
import type { Script } from '../mirror/read-script.ts'
import { scribeModel } from '../text-models.ts'
import type { TextReplies } from '../text-replies.ts'
import { withoutAdditions, workingFolder } from './asked.ts'
import { readFileRequest } from './file-request.ts'
import { writeCall } from './write-call.ts'

const whoAnswers =
  "This is Fairlead's demo, a script and not a language model. For a real answer, connect a provider, for example by setting OPENAI_API_KEY or ANTHROPIC_API_KEY."
const withTools = `${whoAnswers} It can create a file with your tools: ask it to "Create hello.txt with the text Hello there".`
const defaultContent = "Hello from Fairlead's demo.\n"

/**
 * Decides what the demo answers, in this order: what a script in the message says, the result of a tool, a value for a schema
 * or a forced call as `mirror` makes them, a call that creates the file which the user asks for, or a text of `scribe`.
 */
export function demoTurn(scribe: TextReplies): ChooseTurn {
  return async (request, call) => {
    const messages = withoutAdditions(request.messages)
    const turn = scriptedTurn(messages)
    const { script, exchange, rest } = turn
    const { tools = [], toolChoice, responseFormat } = request
    if (Object.keys(script).length > 0) return turn
    if (exchange.results !== undefined) {
      return { ...turn, script: explained(request, { reply: afterTools(messages) }, 'The result of the tool is here.') }
    }
    const isForced = toolChoice?.type === 'required' || toolChoice?.type === 'tool'
    if (isForced || responseFormat?.type === 'json_schema') return turn
    const compose = (text: string) => composed(withLastText(messages, text), scribe, request, call)
    const file = toolChoice?.type === 'none' ? undefined : readFileRequest(rest)
    if (tools.length > 0 && file) {
      const content = file.content ?? (file.topic === undefined ? defaultContent : await compose(file.topic))
      const folder = workingFolder(request.messages)
      const write = writeCall(tools, { path: file.path, content: content.replace(/\n?$/, '\n'), folder })
      if (write)
        return {
          ...turn,
          script: explained(request, { toolCalls: [write] }, `Call ${write.name} to create ${file.path}.`),
        }
    }
    // A text by `scribe` would look like the work of an agent that is not done.
    if (tools.length > 0) return { ...turn, script: explained(request, { reply: withTools }, 'No file is asked for.') }
    const text = await compose(rest)
    if (responseFormat) return { ...turn, rest: text }
    return { ...turn, script: explained(request, { reply: text }, 'A text is asked for.') }
  }
}

/** Shows a line of reasoning to clients that ask for some. */
function explained({ reasoning }: TextRequest, script: Script, why: string): Script {
  return reasoning?.effort && reasoning.effort !== 'none' ? { ...script, reasoning: why } : script
}

/** Of the result of a tool, in characters. */
const maxQuoted = 300

function afterTools(messages: readonly Message[]): string {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const results = messages.slice(last + 1).flatMap((message) => (message.role === 'tool' ? message.content : []))
  const lines = results.map((result) => {
    const text = messageText({ role: 'tool', content: [result] }).trim()
    const quoted = text.length > maxQuoted ? `${text.slice(0, maxQuoted)} …` : text
    return `${result.name} ${result.isError ? 'failed' : 'answered'}: ${quoted}`
  })
  return [...lines, whoAnswers].join('\n\n')
}

function withLastText(messages: readonly Message[], text: string): readonly Message[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  return [...messages.slice(0, Math.max(0, asked)), { role: 'user', content: [{ type: 'text', text }] }]
}

/** Longer system messages are the instructions of an agent, of which `scribe` would take words for wishes. */
const maxSystem = 1_000

async function composed(
  messages: readonly Message[],
  scribe: TextReplies,
  request: TextRequest,
  call: ProviderCall,
): Promise<string> {
  const read = messages.filter((message) => message.role !== 'system' || messageText(message).length <= maxSystem)
  const length = read.reduce((sum, message) => sum + messageText(message).length, 0)
  if (length > scribeModel.maxPromptCharacters!) return whoAnswers
  const { tools: _tools, toolChoice: _choice, responseFormat: _format, stop: _stop, ...settings } = request
  const maxTokens = Math.min(request.maxTokens ?? scribeModel.maxTokens, scribeModel.maxTokens)
  return answerText(await scribe.generateText({ ...settings, model: scribeModel.id, messages: read, maxTokens }, call))
}
