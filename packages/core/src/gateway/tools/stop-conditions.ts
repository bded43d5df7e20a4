import type { ToolStep } from './tool-calls.ts'

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

export async function isAnyMet(conditions: readonly StopCondition[], steps: readonly ToolStep[]): Promise<boolean> {
  const met = await Promise.all(conditions.map((condition) => condition({ steps })))
  return met.includes(true)
}
