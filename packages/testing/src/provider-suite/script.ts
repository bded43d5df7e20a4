import { type RecordedExchange, type RecordedReply, replaying } from '../fakes/recorded-exchange.ts'
import type { UpstreamAnswer, UpstreamRequest } from '../fakes/test-upstream.ts'
import { findLeaves } from './reply-variants.ts'

/** The exchanges of a call, in their order. */
export interface Script {
  readonly exchanges: readonly RecordedExchange[]
  /** The exchange whose reply the suite varies. */
  readonly exchange: RecordedExchange
  /** The exchange that gets a token, which the provider keeps for later calls. */
  readonly token?: RecordedExchange
}

export type Recording = RecordedExchange | readonly RecordedExchange[]

/** @param secretIn the name of the exchange that gets a token */
export function readScript(recording: Recording, secretIn: string | undefined): Script {
  const exchanges = [recording].flat() as readonly RecordedExchange[]
  const exchange = exchanges.find(({ main }) => main) ?? exchanges.at(-1)
  if (!exchange) throw new Error('a replay needs at least one exchange')
  const token = exchanges.find(({ name }) => name !== undefined && name === secretIn)
  return token && token !== exchange ? { exchanges, exchange, token } : { exchanges, exchange }
}

/** The name of an exchange in the titles of tests. */
export function nameExchange({ exchanges }: Script, exchange: RecordedExchange): string {
  const { name, request } = exchange
  if (name !== undefined) return name
  const same = exchanges.filter((other) => isTo(other, request))
  const number = same.length > 1 ? ` (${same.indexOf(exchange) + 1})` : ''
  return `${request.method} ${request.path}${number}`
}

/** The exchange before the last of those with the same path: it is asked again until the job has ended. */
export function findPending({ exchanges }: Script): RecordedExchange | undefined {
  return exchanges.findLast(({ request }, index) => exchanges.slice(index + 1).some((later) => isTo(later, request)))
}

/** Calls at once may share the last reply. */
const maxRepeats = 10

/** Other replies than the recorded ones. */
export type Replies = ReadonlyMap<RecordedExchange, UpstreamAnswer>

/**
 * An upstream that plays a script: the exchanges of each call in their order. Requests beyond the recorded ones get the
 * last reply again, and those to an unknown path, such as another model's, the next one of the same method.
 *
 * @param onRepeat called when the last reply of several is requested again and again
 */
export function playScript(script: Script, replies: Replies, onRepeat: () => void = () => {}): UpstreamAnswer {
  const { token } = script
  const exchanges = script.exchanges.filter((each) => each !== token)
  const [first, ...others] = exchanges
  const isAlone = others.length === 0
  const played = new Set<RecordedExchange>()
  let repeats = 0

  function next(request: Sent): RecordedExchange {
    if (token && isTo(token, request)) return token
    const known = exchanges.filter((each) => isTo(each, request))
    const fresh = known.find((each) => !played.has(each))
    if (fresh && fresh !== first) return fresh
    if (known.includes(first!)) {
      played.clear()
      return first!
    }
    if (known.length > 0) {
      if (++repeats > maxRepeats) onRepeat()
      return known.at(-1)!
    }
    return exchanges.find((each) => !played.has(each) && each.request.method === request.method) ?? script.exchange
  }

  return (response, request) => {
    const exchange = isAlone && !(token && isTo(token, request)) ? script.exchange : next(request)
    played.add(exchange)
    return (replies.get(exchange) ?? replaying(exchange.reply))(response, request)
  }
}

/** The parts that tell the requests of a call apart. */
export type Sent = Pick<UpstreamRequest, 'method' | 'path'>

export function isTo({ request }: RecordedExchange, { method, path }: Sent): boolean {
  return request.method === method && request.path === path
}

/** A script in which every id that one exchange returns and a later one sends is another. */
export function withOtherIds(script: Script, suffix: string): Script {
  const { exchanges, exchange: main, token } = script
  const ids = new Set<string>()
  for (const [index, { reply }] of exchanges.entries()) {
    if (exchanges[index] === token) continue
    const later = exchanges.slice(index + 1).map(({ request }) => JSON.stringify([request.path, request.body]))
    for (const { value } of findLeaves(reply)) {
      if (typeof value === 'string' && value.length > 2 && later.some((sent) => sent.includes(value))) ids.add(value)
    }
  }
  const rename = <Value>(value: Value): Value => {
    const text = [...ids].reduce((json, id) => json.replaceAll(id, `${id}${suffix}`), JSON.stringify(value))
    return JSON.parse(text) as Value
  }
  const renamed = exchanges.map((each) =>
    each === token || 'bytes' in each.reply ? each : { ...rename({ ...each, reply: { ...each.reply } }) },
  )
  return { ...script, exchanges: renamed, exchange: renamed[exchanges.indexOf(main)]! }
}

/** The texts of a token request's reply that a later request has in its headers, path, or body. */
export function findTokens({ token }: Script, requests: readonly UpstreamRequest[]): readonly string[] {
  if (!token) return []
  const sent = requests
    .filter((request) => !isTo(token, request))
    .map(({ path, headers, text }) => JSON.stringify([path, headers, text]))
    .join('\n')
  return textsIn(token.reply).filter((text) => text.length >= minTokenLength && sent.includes(text))
}

/** Shorter texts, such as `Bearer`, are no secrets. */
const minTokenLength = 8

function textsIn(reply: RecordedReply): readonly string[] {
  return findLeaves(reply).flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
}

/** A reply whose token ends with another text. */
export function withToken(reply: RecordedReply, token: string, other: string): RecordedReply {
  return (
    findLeaves(reply)
      .find(({ value }) => value === token)
      ?.with(other) ?? reply
  )
}

/** Whether a request is to the exchange that gets a token. */
export function isTokenRequest({ token }: Script, request: Sent): boolean {
  return token !== undefined && isTo(token, request)
}
