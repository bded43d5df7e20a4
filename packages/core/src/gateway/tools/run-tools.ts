import { type FairleadError, invalidRequest } from '../../runtime/errors.ts'
import { type WithMeta, type WithResult, withResult } from '../../runtime/method.ts'
import { totalCost, totalUsage } from '../cost.ts'
import type { AnswerUsage } from '../messages/answer.ts'
import type { GenerateChunk, MessageInput } from '../methods.ts'
import type { EmbeddedGenerate, EmbeddedGenerateInput, EmbeddedTool } from '../text/embedded-generate.ts'
import {
  objectFormat,
  readObject,
  type GeneratedText,
  type ToolCall,
  toolCallsIn,
  withViews,
} from '../text/generated-text.ts'
import type { InferOutput, StandardSchema } from '../text/standard-schema.ts'
import type { RunnableTool } from './runnable-tool.ts'
import {
  type Approval,
  type Approve,
  type CallOutcome,
  executeCalls,
  type ToolCallOptions,
  type ToolResult,
  type ToolStep,
} from './tool-calls.ts'

/**
 * The input of `generate`, with tools that have functions. A `prompt` follows the `messages`, and has their defaults: the
 * model's maximum of tokens, and the provider's own temperature.
 */
export interface RunToolsInput<Output extends StandardSchema | undefined = undefined> extends StepSettings {
  readonly model: string
  readonly tools: Readonly<Record<string, RunnableTool>>
  /** Text of the user, after the messages. */
  readonly prompt?: string | undefined
  /** The schema of an object, which the end of a complete run then has as `object`. */
  readonly output?: Output
  /**
   * Ends the run after a step with calls of tools for which one of the conditions is true. Default: `isStepCount(10)`,
   * which your own conditions replace.
   */
  readonly stopWhen?: StopCondition | readonly StopCondition[]
  /** Changes the next step. New messages stay for later steps; everything else is for this step alone. */
  readonly prepareStep?: (next: NextStep) => StepSettings | undefined | Promise<StepSettings | undefined>
  /** Called after each step, and awaited. */
  readonly onStepFinish?: (step: ToolStep) => unknown
  /**
   * Decides a call that needs approval. If it returns undefined, or is missing, no call of the step is executed, and the run
   * ends with the call in `pendingApprovals`.
   */
  readonly approve?: Approve
  /** The decisions about the calls with which `messages` end, by their ids: of the `pendingApprovals` of an earlier run. */
  readonly approvals?: Readonly<Record<string, Approval>>
}

/** The settings of one step. */
export interface StepSettings extends Partial<Omit<EmbeddedGenerateInput, 'tools' | 'prompt' | 'output'>> {
  /** The tools by name. */
  readonly tools?: Readonly<Record<string, RunnableTool>>
}

export interface NextStep {
  /** The steps so far. */
  readonly steps: readonly ToolStep[]
  /** The conversation so far. */
  readonly messages: readonly MessageInput[]
}

export interface RunToolsOptions {
  /** Cancels the run: the call to the model, and the signal of each function. */
  readonly signal?: AbortSignal
}

/** The end of a run: the last answer, with the usage and the cost of all steps. */
interface RunEnd extends GeneratedText {
  /** The cost of all steps in US dollars. */
  readonly costUsd: number
  /** The conversation with all answers and results, to continue it. */
  readonly messages: readonly MessageInput[]
  /** Every answer of the model, the last one too. */
  readonly steps: readonly ToolStep[]
  /** The calls that `approve` did not decide. */
  readonly pendingApprovals: readonly ToolCall[]
  /** Whether the model finished. False if the run ended because of `stopWhen` or of pending approvals. */
  readonly isComplete: boolean
}

/** The end of a run. With `output`, a complete run has an `object`. */
export type ToolRun<Output extends StandardSchema | undefined = undefined> = Output extends StandardSchema
  ? RunEnd &
      (
        | { readonly isComplete: true; readonly object: InferOutput<Output> }
        | { readonly isComplete: false; readonly object?: undefined }
      )
  : RunEnd

/** An event of a run. */
export type ToolRunEvent =
  | { readonly type: 'chunk'; readonly chunk: GenerateChunk }
  | { readonly type: 'tool_call'; readonly call: ToolCall }
  | ({ readonly type: 'tool_result' } & ToolResult)
  | { readonly type: 'step'; readonly step: ToolStep }

/**
 * Generates text, executes the tools that the model calls, and repeats with their results until the model calls none. Tools
 * that are called together run at the same time. A `toolChoice` that forces a call applies to the first step alone. If the
 * `messages` end with calls, these are executed first.
 *
 * Rejects with the `FairleadError` of a step, or the signal's reason. Each step is charged as one generation.
 *
 * @example
 *   const { content } = await fairlead.runTools({ model: 'gpt-5.4', prompt: 'Do I need an umbrella in Oslo?', tools: { weather } })
 */
export interface RunTools {
  <Output extends StandardSchema | undefined = undefined>(
    input: RunToolsInput<Output>,
    options?: RunToolsOptions,
  ): Promise<ToolRun<Output>>
  /** Yields the chunks, calls and results of each step, and returns the end of the run. */
  readonly stream: <Output extends StandardSchema | undefined = undefined>(
    input: RunToolsInput<Output>,
    options?: RunToolsOptions,
  ) => ToolRunStream<Output>
}

/**
 * The events of a run. Its return value, after the last event, is the end of the run, with which `result()` resolves
 * too; that discards the events that were not read before.
 */
export type ToolRunStream<Output extends StandardSchema | undefined = undefined> = WithResult<
  ToolRunEvent,
  ToolRun<Output>,
  ToolRun<Output>
>

type AnyInput = RunToolsInput<StandardSchema | undefined>

const defaultStop = isStepCount(10)

export function createRunTools(generate: EmbeddedGenerate): RunTools {
  const start = (isStreamed: boolean, input: AnyInput, options?: RunToolsOptions) =>
    withResult(runSteps(generate, input, { ...options, isStreamed }), (run) => run)
  const runTools = (input: AnyInput, options?: RunToolsOptions) => start(false, input, options).result()
  const stream = (input: AnyInput, options?: RunToolsOptions) => start(true, input, options)
  return Object.assign(runTools, { stream }) as RunTools
}

async function* runSteps(
  generate: EmbeddedGenerate,
  {
    prompt,
    messages: given = [],
    output,
    stopWhen = defaultStop,
    prepareStep,
    onStepFinish,
    approve,
    approvals = {},
    ...input
  }: AnyInput,
  { signal = new AbortController().signal, isStreamed }: RunToolsOptions & { readonly isStreamed: boolean },
): AsyncGenerator<ToolRunEvent, RunEnd, undefined> {
  const { toolChoice, ...settings } = output ? { ...input, responseFormat: objectFormat(output) } : input
  const steps: ToolStep[] = []
  let messages = [...given]
  const calls = callsAtEnd(messages)
  if (calls.length > 0) {
    const decide: Approve = (call) => (Object.hasOwn(approvals, call.id) ? approvals[call.id] : approve?.(call))
    const { results, pending } = yield* execute(calls, { tools: input.tools, approve: decide, signal })
    if (pending[0]) throw undecided(pending[0])
    messages.push(toMessage(results))
  }
  if (prompt !== undefined) messages.push({ role: 'user', content: prompt })
  for (;;) {
    const isForced = (steps.length === 0 && calls.length === 0) || toolChoice?.type === 'none'
    const changes = await prepareStep?.({ steps: [...steps], messages: [...messages] })
    if (changes?.messages) messages = [...changes.messages]
    const { tools, ...step } = { ...settings, toolChoice: isForced ? toolChoice : undefined, ...changes }
    const request = { ...step, messages: [...messages], tools: toTools(tools) }
    const { data: answer, meta } = isStreamed
      ? yield* chunksOf(generate.stream(request, { signal }))
      : await generate.withMeta(request, { signal })
    messages.push(answer.message)
    const { results, pending } = yield* execute(answer.toolCalls, { tools, approve, signal })
    if (results.length > 0) messages.push(toMessage(results))
    const finished = withViews({ ...answer, costUsd: meta.costUsd ?? 0, toolResults: results })
    steps.push(finished)
    yield { type: 'step', step: finished }
    await onStepFinish?.(finished)
    const isComplete = answer.toolCalls.length === 0
    if (!isComplete && pending.length === 0 && !(await isAnyMet([stopWhen].flat(), steps))) continue
    const end = { ...answer, ...spentOn(steps), messages, steps, pendingApprovals: pending, isComplete }
    if (!isComplete || !output) return withViews(end)
    return withViews({ ...end, object: await readObject(withViews(end), output) })
  }
}

async function* execute(
  calls: readonly ToolCall[],
  options: ToolCallOptions,
): AsyncGenerator<ToolRunEvent, CallOutcome, undefined> {
  if (calls.length === 0) return { results: [], pending: [] }
  for (const call of calls) yield { type: 'tool_call', call }
  const outcome = await executeCalls(calls, options)
  for (const result of outcome.results) yield { type: 'tool_result', ...result }
  return outcome
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

/** The calls of the last message, which have no results yet: an earlier run waited for approval. */
function callsAtEnd(messages: readonly MessageInput[]): readonly ToolCall[] {
  const last = messages.at(-1)
  return last?.role === 'assistant' && typeof last.content !== 'string' ? toolCallsIn(last.content) : []
}

function undecided({ id, name }: ToolCall): FairleadError {
  return invalidRequest({
    field: 'approvals',
    issue: `must decide the call "${id}" of "${name}", with which the messages end`,
  })
}

function toMessage(results: readonly ToolResult[]): MessageInput {
  const content = results.map(({ toolCallId, result, isError }) => ({
    type: 'tool_result' as const,
    toolCallId,
    content: result,
    ...(isError && { isError }),
  }))
  return { role: 'tool', content }
}

function toTools(tools: RunToolsInput['tools']): readonly EmbeddedTool[] | undefined {
  const offered = Object.entries(tools).map(([name, { description, inputSchema, strict }]) => {
    return { name, description, inputSchema, strict }
  })
  return offered.length > 0 ? offered : undefined
}

function spentOn(steps: readonly ToolStep[]): Pick<RunEnd, 'usage' | 'costUsd'> {
  const usage = steps.map((step) => step.usage as AnswerUsage).reduce(totalUsage)
  const totalTokens = usage.promptTokens + usage.completionTokens
  const { costUsd } = totalCost(steps.map((step) => ({ costUsd: step.costUsd, warnings: [] })))
  return { usage: { ...usage, totalTokens }, costUsd }
}

/** Whether a run ends after its latest step. */
export type StopCondition = (run: { readonly steps: readonly ToolStep[] }) => boolean | Promise<boolean>

/** Ends a run after this number of steps. Throws a `TypeError` unless it is an integer of at least 1. */
export function isStepCount(count: number): StopCondition {
  if (!Number.isInteger(count) || count < 1) throw new TypeError('isStepCount takes an integer of at least 1')
  return ({ steps }) => steps.length >= count
}

/** Ends a run after a step that called one of these tools. */
export function hasToolCall(...names: readonly string[]): StopCondition {
  return ({ steps }) => steps.at(-1)?.toolCalls.some(({ name }) => names.includes(name)) ?? false
}

async function isAnyMet(conditions: readonly StopCondition[], steps: readonly ToolStep[]): Promise<boolean> {
  const met = await Promise.all(conditions.map((condition) => condition({ steps })))
  return met.includes(true)
}
