import { z } from 'zod'
import type { WithMeta } from '../../runtime/method.ts'
import { type WithResult, withResult } from '../../runtime/run/result-stream.ts'
import { type Cost, totalCost, totalUsage } from '../cost.ts'
import { type GeneratedText, withViews } from './generated-text.ts'
import type { GenerateChunk, MessageInput } from '../methods.ts'
import { toSafeText } from '../provider-responses.ts'
import type { TokenUsage } from '../messages/answer.ts'
import { type EmbeddedGenerate, type EmbeddedGenerateInput, type EmbeddedTool, isZod } from './zod-schemas.ts'

/** A tool with its handler. `defineTool` infers the handler's input from a zod schema. */
export interface RunnableTool {
  /** What the tool does, for the model. */
  readonly description?: string
  /** A JSON schema of an object, or a zod schema. */
  readonly inputSchema: Readonly<Record<string, unknown>> | z.ZodType
  /** Whether inputs must follow the schema exactly, if the provider can enforce it. */
  readonly strict?: boolean
  /**
   * Runs the tool. A result that is not a string is sent as JSON. An error that it throws is sent to the model, which can
   * try again, with its message alone.
   */
  readonly run: (input: never, context: ToolContext) => unknown
}

export interface ToolContext {
  /** Aborts when the caller cancels the run. */
  readonly signal: AbortSignal
  /** The id of the model's call. */
  readonly toolCallId: string
}

/**
 * A tool whose handler has the type of its zod schema.
 *
 * @example
 *   const weather = defineTool({
 *     description: 'The weather in a city',
 *     inputSchema: z.object({ city: z.string() }),
 *     run: async ({ city }) => fetchWeather(city),
 *   })
 */
export function defineTool<Input extends z.ZodType>(
  tool: Omit<RunnableTool, 'inputSchema' | 'run'> & {
    readonly inputSchema: Input
    readonly run: (input: z.output<Input>, context: ToolContext) => unknown
  },
): RunnableTool {
  return tool as RunnableTool
}

/**
 * The input of `generate`, with tools that have handlers. A `prompt` follows the `messages`, and has their defaults: the
 * model's maximum of tokens, and the provider's own temperature.
 */
export interface RunToolsInput extends Omit<EmbeddedGenerateInput, 'tools'> {
  /** The tools by name. */
  readonly tools: Readonly<Record<string, RunnableTool>>
  /** The maximum number of calls to the model. Default: 10. */
  readonly maxSteps?: number
}

export interface RunToolsOptions {
  /** Cancels the run: the call to the model, and the signal of each handler. */
  readonly signal?: AbortSignal
}

/** The end of a run: the last answer, with the usage and the cost of all steps. */
export interface ToolRun extends GeneratedText {
  /** The cost of all steps in US dollars. */
  readonly costUsd: number
  /** The conversation with all answers and results, to continue it. */
  readonly messages: readonly MessageInput[]
  /** Every answer of the model, the last one too. */
  readonly steps: readonly GeneratedText[]
  /** Whether the model finished. False if it still calls tools after `maxSteps`. */
  readonly isComplete: boolean
}

/** What happens during a run. */
export type ToolRunEvent =
  | { readonly type: 'chunk'; readonly chunk: GenerateChunk }
  | { readonly type: 'step'; readonly step: GeneratedText }
  | {
      readonly type: 'tool_result'
      readonly toolCallId: string
      readonly name: string
      readonly result: string
      readonly isError: boolean
    }

/**
 * Generates text, runs the tools that the model calls, and repeats with their results until the model calls none. Tools
 * that are called together run at the same time. A `toolChoice` that forces a call applies to the first step alone.
 *
 * Rejects with the `FairleadError` of a step, or the signal's reason. Each step is charged as one generation.
 *
 * @example
 *   const { content } = await fairlead.runTools({ model: 'gpt-5.4', prompt: 'Do I need an umbrella in Oslo?', tools: { weather } })
 */
export interface RunTools {
  (input: RunToolsInput, options?: RunToolsOptions): Promise<ToolRun>
  /** Yields the chunks of each step and the results of tools, and returns the end of the run. */
  readonly stream: (input: RunToolsInput, options?: RunToolsOptions) => ToolRunStream
}

/**
 * What happens during a run. Its return value, after the last event, is the end of the run, with which `result()` resolves
 * too; that discards the events that were not read before.
 */
export type ToolRunStream = WithResult<ToolRunEvent, ToolRun, ToolRun>

const defaultMaxSteps = 10
/** In characters, of an input that the model gets back. */
const maxRepeated = 1_000

export function createRunTools(generate: EmbeddedGenerate): RunTools {
  const start = (isStreamed: boolean, ...[input, options]: Parameters<RunTools>) =>
    withResult(runSteps(generate, input, { ...options, isStreamed }), (run) => run)
  const runTools = (...given: Parameters<RunTools>) => start(false, ...given).result()
  return Object.assign(runTools, { stream: (...given: Parameters<RunTools>) => start(true, ...given) })
}

async function* runSteps(
  generate: EmbeddedGenerate,
  { tools, maxSteps = defaultMaxSteps, prompt, messages: given, toolChoice, ...settings }: RunToolsInput,
  { signal = new AbortController().signal, isStreamed }: RunToolsOptions & { readonly isStreamed: boolean },
): AsyncGenerator<ToolRunEvent, ToolRun, undefined> {
  if (!Number.isInteger(maxSteps) || maxSteps < 1) throw new TypeError('maxSteps must be an integer of at least 1')
  const messages: MessageInput[] = [...(given ?? [])]
  if (prompt !== undefined) messages.push({ role: 'user', content: prompt })
  const offered = Object.entries(tools).map(toTool)
  const steps: GeneratedText[] = []
  const costs: Cost[] = []
  for (;;) {
    const request: EmbeddedGenerateInput = {
      ...settings,
      messages: [...messages],
      tools: offered.length > 0 ? offered : undefined,
      toolChoice: steps.length === 0 || toolChoice?.type === 'none' ? toolChoice : undefined,
    }
    const { data: answer, meta } = isStreamed
      ? yield* chunksOf(generate.stream(request, { signal }))
      : await generate.withMeta(request, { signal })
    steps.push(answer)
    costs.push({ costUsd: meta.costUsd ?? 0, warnings: [] })
    yield { type: 'step', step: answer }
    messages.push(answer.message)
    const { toolCalls } = answer
    if (toolCalls.length === 0 || steps.length === maxSteps) {
      return withViews({ ...answer, ...spentOn(steps, costs), messages, steps, isComplete: toolCalls.length === 0 })
    }
    const running = toolCalls.map(async ({ id, name, input, inputText }) => ({
      toolCallId: id,
      name,
      ...(inputText === undefined
        ? await callTool(tools, name, input, { signal, toolCallId: id })
        : failed(`The input is not a JSON object: ${inputText.slice(0, maxRepeated)}`)),
    }))
    // A handler may ignore the signal.
    const results = await unlessAborted(signal, Promise.all(running))
    for (const result of results) yield { type: 'tool_result', ...result }
    messages.push({
      role: 'tool',
      content: results.map(({ toolCallId, result, isError }) => ({
        type: 'tool_result' as const,
        toolCallId,
        content: result,
        ...(isError && { isError }),
      })),
    })
  }
}

async function* chunksOf(
  chunks: ReturnType<EmbeddedGenerate['stream']>,
): AsyncGenerator<ToolRunEvent, WithMeta<GeneratedText>, undefined> {
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      yield { type: 'chunk', chunk: next.value }
    }
    return await chunks.result()
  } finally {
    // The caller may have left the loop: that cancels the step.
    await chunks.return(undefined as never)
  }
}

function spentOn(steps: readonly GeneratedText[], costs: readonly Cost[]): Pick<ToolRun, 'usage' | 'costUsd'> {
  const usage = steps.map((step) => step.usage as TokenUsage).reduce(totalUsage)
  const totalTokens = usage.promptTokens + usage.completionTokens
  return { usage: { ...usage, totalTokens }, costUsd: totalCost(costs).costUsd }
}

function toTool([name, { description, inputSchema, strict }]: [string, RunnableTool]): EmbeddedTool {
  return { name, description, inputSchema, strict }
}

interface ToolOutcome {
  readonly result: string
  readonly isError: boolean
}

async function callTool(
  tools: RunToolsInput['tools'],
  name: string,
  input: unknown,
  context: ToolContext,
): Promise<ToolOutcome> {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (!tool) return failed(`There is no tool "${name}". Tools: ${Object.keys(tools).join(', ')}.`)
  try {
    const checked = isZod(tool.inputSchema) ? await tool.inputSchema.safeParseAsync(input) : undefined
    if (checked?.error) return failed(`The input is not valid: ${z.prettifyError(checked.error)}`)
    const result = await tool.run((checked ? checked.data : input) as never, context)
    const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? 'done')
    return { result: toSafeText(text), isError: false }
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}

function failed(message: string): ToolOutcome {
  return { result: toSafeText(message) || 'The tool failed.', isError: true }
}

async function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const aborted = Promise.withResolvers<never>()
  const reject = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', reject)
  try {
    signal.throwIfAborted()
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', reject)
  }
}
