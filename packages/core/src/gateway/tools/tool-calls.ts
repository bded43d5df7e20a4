import { toSafeText } from '../provider-responses.ts'
import { type GeneratedText, type ToolCall, describe } from '../text/generated-text.ts'
import { isStandardSchema, toIssues } from '../text/standard-schema.ts'
import type { RunnableTool } from './runnable-tool.ts'

/** Whether a call may be executed. The model gets the `reason` of a denial. */
export type Approval = boolean | { readonly approved: boolean; readonly reason?: string }

/** Decides a call of a tool that needs approval. Without a decision, the run ends before the calls of the step. */
export type Approve = (call: ToolCall) => Approval | undefined | Promise<Approval | undefined>

/** The answer to a call, for the model. */
export interface ToolResult {
  readonly toolCallId: string
  readonly name: string
  readonly result: string
  readonly isError: boolean
}

/** An answer of the model, with the results of the tools that it called. */
export interface ToolStep extends GeneratedText {
  /** In US dollars. */
  readonly costUsd: number
  /** In the order of `toolCalls`. Empty if one of them waits for approval. */
  readonly toolResults: readonly ToolResult[]
}

export interface ToolCallOptions {
  readonly tools: Readonly<Record<string, RunnableTool>>
  readonly approve: Approve | undefined
  readonly signal: AbortSignal
}

/** The results of all calls, or the calls that wait for approval: then none is executed. */
export interface CallOutcome {
  readonly results: readonly ToolResult[]
  readonly pending: readonly ToolCall[]
}

/** Executes the calls of a step at the same time, once each is allowed. */
export async function executeCalls(calls: readonly ToolCall[], options: ToolCallOptions): Promise<CallOutcome> {
  const { signal } = options
  const checked = await unlessAborted(signal, checkCalls(calls, options))
  const pending = checked.filter(({ state }) => state === 'pending').map(({ call }) => call)
  if (pending.length > 0) return { results: [], pending }
  // A function may ignore the signal.
  const results = await unlessAborted(signal, Promise.all(checked.map((call) => execute(call, signal))))
  return { results, pending }
}

type CheckedCall = { readonly call: ToolCall } & (
  | { readonly state: 'allowed'; readonly tool: RunnableTool; readonly input: unknown }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'pending' }
)

/** One after the other, because `approve` may ask a person. */
async function checkCalls(calls: readonly ToolCall[], options: ToolCallOptions): Promise<readonly CheckedCall[]> {
  const checked: CheckedCall[] = []
  for (const call of calls) {
    options.signal.throwIfAborted()
    checked.push(await checkCall(call, options))
  }
  return checked
}

/** In characters, of an input that the model gets back. */
const maxRepeated = 1_000

async function checkCall(call: ToolCall, { tools, approve, signal }: ToolCallOptions): Promise<CheckedCall> {
  const { id, name, inputText } = call
  const failed = (message: string): CheckedCall => ({ call, state: 'failed', message })
  if (inputText !== undefined) return failed(`The input is not a JSON object: ${inputText.slice(0, maxRepeated)}`)
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (!tool) return failed(`There is no tool "${name}". Tools: ${Object.keys(tools).join(', ')}.`)
  const { input, fault } = await checkInput(tool, call)
  if (fault !== undefined) return failed(fault)
  const { needsApproval = false } = tool
  const isGuarded =
    typeof needsApproval === 'function'
      ? await needsApproval(input as never, { signal, toolCallId: id })
      : needsApproval
  const approval = isGuarded ? await approve?.(call) : true
  if (approval === undefined) return { call, state: 'pending' }
  const { approved, reason } = typeof approval === 'boolean' ? { approved: approval } : approval
  return approved ? { call, state: 'allowed', tool, input } : failed(denial(reason))
}

function denial(reason = 'do not repeat it'): string {
  return `The call was not approved: ${reason}`
}

async function checkInput(
  { inputSchema }: RunnableTool,
  { input }: ToolCall,
): Promise<{ readonly input?: unknown; readonly fault?: string }> {
  if (!isStandardSchema(inputSchema)) return { input }
  try {
    const result = await inputSchema['~standard'].validate(input)
    return result.issues
      ? { fault: `The input is not valid: ${describe(toIssues(result.issues))}` }
      : { input: result.value }
  } catch (error) {
    return { fault: errorText(error) }
  }
}

async function execute(checked: CheckedCall, signal: AbortSignal): Promise<ToolResult> {
  const { id: toolCallId, name } = checked.call
  const failed = (message: string): ToolResult => {
    return { toolCallId, name, result: toSafeText(message) || 'The tool failed.', isError: true }
  }
  if (checked.state !== 'allowed') return failed(checked.state === 'failed' ? checked.message : denial())
  try {
    const result = await checked.tool.execute(checked.input as never, { signal, toolCallId })
    const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? 'done')
    return { toolCallId, name, result: toSafeText(text), isError: false }
  } catch (error) {
    return failed(errorText(error))
  }
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const aborted = Promise.withResolvers<never>()
  const reject = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', reject)
  if (signal.aborted) reject()
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', reject)
  }
}
