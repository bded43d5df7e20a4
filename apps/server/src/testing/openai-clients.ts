import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  type AIMessage,
  type BaseMessage,
  HumanMessage,
  type ToolMessage,
  type UsageMetadata,
} from '@langchain/core/messages'
import { tool as langchainTool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import {
  generateText,
  isStepCount,
  type LanguageModel,
  Output,
  type StepResult,
  streamText,
  tool,
  type ToolSet,
} from 'ai'
import OpenAI from 'openai'
import { zodFunction, zodResponseFormat, zodTextFormat } from 'openai/helpers/zod'
import * as z from 'zod'
import type { Connection } from './ask-both.ts'
import { collect, pixel } from './serve-models.ts'

/** The calls of a program with a client of OpenAI. Each returns what it got, without ids and times. */
export interface Client {
  text(): Promise<unknown>
  image(): Promise<unknown>
  /** Asks for an answer by a schema. */
  object(): Promise<unknown>
  /** Runs the tools that the model calls, until it answers. */
  tools(): Promise<unknown>
  /** Aborts a stream after its first piece. */
  abort(): Promise<void>
}

export interface ClientOptions {
  readonly stream: boolean
  /** Default: 0. */
  readonly maxRetries?: number
}

/** Asked by chat completions and by responses. The second reasons. */
const [chatModel, responsesModel] = ['gpt-4.1-mini', 'gpt-6.1-sol'] as const

const question = 'What is this?'
const capital = z.object({ capitalCity: z.string(), countryName: z.string() })
const cityInput = z.object({ city: z.string() })
const placeInput = z.object({ place: z.string() })
const weatherIn = ({ city }: z.output<typeof cityInput>) => `Rain in ${city}`
const timeIn = ({ place }: z.output<typeof placeInput>) => `Noon in ${place}`

function nodeChat(connection: Connection, { stream, maxRetries = 0 }: ClientOptions): Client {
  const { completions } = new OpenAI({ ...connection, maxRetries }).chat
  const ask = async (body: Pick<OpenAI.ChatCompletionCreateParams, 'messages' | 'response_format'>) => {
    const request = { model: chatModel, ...body }
    if (!stream) return ofCompletion(await completions.parse(request))
    return ofCompletion(
      await completions.stream({ ...request, stream_options: { include_usage: true } }).finalChatCompletion(),
    )
  }
  const messages = [{ role: 'user' as const, content: question }]
  return {
    text: () => ask({ messages }),
    image: () => {
      const content = [
        { type: 'text' as const, text: question },
        { type: 'image_url' as const, image_url: { url: pixel } },
      ]
      return ask({ messages: [{ role: 'user', content }] })
    },
    object: () => ask({ messages, response_format: zodResponseFormat(capital, 'capital') }),
    async tools() {
      const tools = [
        zodFunction({ name: 'get_weather', parameters: cityInput, function: weatherIn }),
        zodFunction({ name: 'get_time', parameters: placeInput, function: timeIn }),
      ]
      const request = { model: chatModel, messages, tools }
      const runner = stream ? completions.runTools({ ...request, stream }) : completions.runTools(request)
      await runner.done()
      return runner.messages
    },
    async abort() {
      const chunks = await completions.create({ model: chatModel, messages, stream: true })
      for await (const _ of chunks) chunks.controller.abort()
    },
  }
}

/** Reasoning is a field of Fairlead, and OpenAI leaves out counts of models that do not have them. */
export function ofCompletion({ choices, usage }: OpenAI.ChatCompletion) {
  const { prompt_tokens_details: prompt, completion_tokens_details: completion, ...counts } = usage!
  return {
    choices: choices.map(({ message, ...choice }) => {
      const {
        reasoning_content: _text,
        reasoning_details: _details,
        ...answer
      } = message as OpenAI.ChatCompletionMessage & Record<string, unknown>
      return { ...choice, message: answer }
    }),
    usage: { ...counts, cached: prompt?.cached_tokens ?? 0, reasoning: completion?.reasoning_tokens ?? 0 },
  }
}

function nodeResponses(connection: Connection, { stream, maxRetries = 0 }: ClientOptions): Client {
  const { responses } = new OpenAI({ ...connection, maxRetries })
  const ask = async (body: Pick<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'input' | 'text' | 'tools'>) => {
    const request = { ...unstored, ...body }
    return stream ? await responses.stream(request).finalResponse() : await responses.parse(request)
  }
  return {
    text: async () => ofResponse(await ask({ input: question })),
    image: async () => {
      const content = [
        { type: 'input_text' as const, text: question },
        { type: 'input_image' as const, image_url: pixel, detail: 'auto' as const },
      ]
      return ofResponse(await ask({ input: [{ role: 'user', content }] }))
    },
    object: async () => ofResponse(await ask({ input: question, text: { format: zodTextFormat(capital, 'capital') } })),
    async tools() {
      const tools = [
        { type: 'function' as const, name: 'get_weather', parameters: z.toJSONSchema(cityInput), strict: true },
        { type: 'function' as const, name: 'get_time', parameters: z.toJSONSchema(placeInput), strict: true },
      ]
      const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: question }]
      const calling = await ask({ input, tools })
      input.push(...(calling.output as OpenAI.Responses.ResponseInputItem[]))
      for (const item of calling.output) {
        if (item.type !== 'function_call') continue
        input.push({ type: 'function_call_output', call_id: item.call_id, output: item.arguments })
      }
      return [ofResponse(calling), ofResponse(await ask({ input, tools }))]
    },
    async abort() {
      const events = await responses.create({ ...unstored, input: question, stream: true })
      for await (const _ of events) events.controller.abort()
    },
  }
}

const unstored = { model: responsesModel, store: false }

/** Fairlead joins the parts of a summary, and has its own encrypted content. */
export function ofResponse(response: OpenAI.Responses.Response) {
  const { status, incomplete_details, output_text, usage, output } = response
  return {
    status,
    incomplete_details,
    output_text,
    usage,
    parsed: (response as { readonly output_parsed?: unknown }).output_parsed ?? null,
    output: output.map(({ id: _id, ...item }) => {
      if (item.type === 'reasoning') return { summary: item.summary.map(({ text }) => text).join('\n\n') }
      if (item.type !== 'message') return item
      return { ...item, content: item.content.map((part) => ({ ...part, logprobs: [] })) }
    }),
  }
}

function aiSdk(model: LanguageModel, { stream, maxRetries = 0 }: ClientOptions): Client {
  type Request = Parameters<typeof generateText>[0] & Parameters<typeof streamText>[0]
  const ask = async (about: Partial<Request>) => {
    const request = {
      model,
      prompt: question,
      maxRetries,
      providerOptions: { openai: { store: false } },
      ...about,
    } as Request
    const answer = stream ? streamText({ ...request, onError() {} }) : await generateText(request)
    if ('stream' in answer) for await (const part of answer.stream) if (part.type === 'error') throw part.error
    return { steps: (await answer.steps).map(ofStep) }
  }
  return {
    text: () => ask({}),
    image: () => {
      const content = [
        { type: 'text' as const, text: question },
        { type: 'file' as const, mediaType: 'image/png', data: pixel },
      ]
      return ask({ prompt: [{ role: 'user', content }] })
    },
    object: () => ask({ output: Output.object({ schema: capital }) }),
    tools: () =>
      ask({
        tools: {
          get_weather: tool({ inputSchema: cityInput, execute: weatherIn }),
          get_time: tool({ inputSchema: placeInput, execute: timeIn }),
        },
        stopWhen: isStepCount(3),
      }),
    async abort() {
      const controller = new AbortController()
      const { textStream } = streamText({ model, prompt: question, abortSignal: controller.signal, maxRetries })
      for await (const _ of textStream) controller.abort()
    },
  }
}

/** Fairlead joins the parts of a summary. */
function ofStep({ text, reasoning, toolCalls, finishReason, usage }: StepResult<ToolSet>) {
  const { inputTokens, outputTokens, totalTokens, inputTokenDetails, outputTokenDetails } = usage
  return {
    text,
    reasoning: reasoning.map((part) => (part.type === 'reasoning' ? part.text : '')).join('\n\n'),
    toolCalls: toolCalls.map(({ toolCallId, toolName, input }) => ({ toolCallId, toolName, input })),
    finishReason,
    usage: { inputTokens, outputTokens, totalTokens },
    cached: inputTokenDetails.cacheReadTokens ?? 0,
    reasoningTokens: outputTokenDetails.reasoningTokens ?? 0,
  }
}

function langchain(
  connection: Connection,
  { stream, maxRetries = 0 }: ClientOptions,
  useResponsesApi: boolean,
): Client {
  const { baseURL, apiKey } = connection
  const model = new ChatOpenAI({
    model: useResponsesApi ? responsesModel : chatModel,
    apiKey,
    configuration: { baseURL },
    useResponsesApi,
    maxRetries,
    ...(useResponsesApi && { zdrEnabled: true }),
  })
  const run = async (able: Pick<ChatOpenAI, 'invoke' | 'stream'>, messages: BaseMessage[]) => {
    if (!stream) return await able.invoke(messages)
    return (await collect(await able.stream(messages))).reduce((whole, chunk) => whole.concat(chunk))
  }
  const asked = [new HumanMessage(question)]
  return {
    text: async () => ofMessage(await run(model, asked)),
    image: async () => {
      const content = [
        { type: 'text', text: question },
        { type: 'image_url', image_url: { url: pixel } },
      ]
      return ofMessage(await run(model, [new HumanMessage({ content })]))
    },
    object: () => model.withStructuredOutput(capital, { method: 'jsonSchema' }).invoke(asked),
    async tools() {
      const tools = {
        get_weather: langchainTool(weatherIn, { name: 'get_weather', schema: cityInput }),
        get_time: langchainTool(timeIn, { name: 'get_time', schema: placeInput }),
      }
      const able = model.bindTools(Object.values(tools))
      const calling = await run(able, asked)
      const messages: BaseMessage[] = [...asked, calling]
      for (const call of calling.tool_calls ?? []) {
        messages.push((await tools[call.name as 'get_weather'].invoke(call)) as ToolMessage)
      }
      return [ofMessage(calling), ofMessage(await run(able, messages))]
    },
    async abort() {
      const controller = new AbortController()
      try {
        for await (const _ of await model.stream(asked, { signal: controller.signal })) controller.abort()
      } catch (error) {
        if (!controller.signal.aborted) throw error
      }
    },
  }
}

function ofMessage(message: AIMessage) {
  const { text, tool_calls, response_metadata } = message
  const usage: UsageMetadata | undefined = message.usage_metadata
  const { input_tokens, output_tokens, total_tokens, ...details } = usage!
  return {
    text,
    tool_calls,
    usage: [input_tokens, output_tokens, total_tokens],
    cached: details.input_token_details?.cache_read ?? 0,
    reasoning: details.output_token_details?.reasoning ?? 0,
    finishReason: response_metadata['finish_reason'] ?? response_metadata['status'],
  }
}

/** All clients. Each is made for a connection, and asks for whole answers or streams. */
export const clients: Readonly<Record<string, (connection: Connection, options: ClientOptions) => Client>> = {
  'openai for Node': nodeChat,
  'openai for Node with responses': nodeResponses,
  '@ai-sdk/openai-compatible': (connection, options) => {
    const provider = createOpenAICompatible({
      name: 'fairlead',
      ...connection,
      includeUsage: true,
      supportsStructuredOutputs: true,
    })
    return aiSdk(provider(chatModel), options)
  },
  '@ai-sdk/openai': (connection, options) => aiSdk(createOpenAI({ ...connection })(responsesModel), options),
  LangChain: (connection, options) => langchain(connection, options, false),
  'LangChain with responses': (connection, options) => langchain(connection, options, true),
}
