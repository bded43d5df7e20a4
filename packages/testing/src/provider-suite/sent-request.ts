import { replaying } from '../fakes/recorded-exchange.ts'
import type { Provider } from '@fairlead/core/provider'
import { expect } from 'vitest'
import type { SuiteAnswer, SuiteRequest } from './ask-provider.ts'
import type { KindReplay, SuiteWorld } from './suite-world.ts'

/** Asks with another request of a replay; the upstream gives the recorded reply. */
export async function sentFor(
  world: SuiteWorld,
  replay: KindReplay,
  request: SuiteRequest,
  provider?: Provider,
): Promise<{ readonly sent: string; readonly answer: SuiteAnswer }> {
  world.answer(replay, replaying(replay.exchange.reply))
  const answer = await world.ask(replay.kind, request, provider ? { provider } : {})
  return { sent: lastSent(world), answer }
}

/** Expects that a setting reaches the API, or that a warning names it. */
export function expectSentOrWarned(setting: string, isSent: boolean, isWarned: boolean | undefined): void {
  expect(isSent || isWarned === true, `"${setting}" is neither sent to the API nor named in a warning`).toBe(true)
}

/** Expects no warning about a setting whose value was sent as it is. */
export function expectNoFalseWarning(setting: string, isWhole: boolean, isWarned: boolean | undefined): void {
  expect(isWhole && isWarned === true, `"${setting}" is sent to the API, and yet a warning names it`).toBe(false)
}

/** The paths and the bodies of the requests of the last call. */
export function lastSent(world: SuiteWorld): string {
  return JSON.stringify(world.sent().map(({ path, body }) => ({ path, body })))
}

export function lastBodies(world: SuiteWorld): readonly unknown[] {
  return world.sent().map(({ body }) => body)
}

/** All texts in a JSON value, in their order. */
export function textsIn(body: unknown): readonly string[] {
  if (typeof body === 'string') return [body]
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(textsIn) : []
}

/** All objects in a JSON value. */
export function objectsIn(body: unknown): readonly object[] {
  if (typeof body !== 'object' || body === null) return []
  const inner = Object.values(body).flatMap(objectsIn)
  return Array.isArray(body) ? inner : [body, ...inner]
}

/** The names of all fields in a JSON value. */
export function namesIn(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, inner]) => [name, ...namesIn(inner)])
}

/** The simple values in a JSON value, by their paths. */
export function valuesIn(body: unknown, path = ''): ReadonlyMap<string, unknown> {
  if (typeof body !== 'object' || body === null) return new Map([[path, body]])
  return new Map(Object.entries(body).flatMap(([name, inner]) => [...valuesIn(inner, `${path}/${name}`)]))
}
