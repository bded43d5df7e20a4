import { type RecordedReply, replaying, replyPieces, startReply } from '../fakes/recorded-exchange.ts'
import { withinASecond } from '../fakes/event-loop.ts'
import { answerText, ProviderError, type TextAnswer, type TextEvent } from '@fairlead/core/provider'
import { expect } from 'vitest'
import { filledIn, suiteCall } from './ask-provider.ts'
import { contentLeaf, streamedValues, withStreamed } from './reply-variants.ts'
import type { SuiteTester } from './suite-tester.ts'
import type { KindReplay, SuiteWorld } from './suite-world.ts'

/** How a provider turns a streamed reply into events. */
export function streamTests(tester: SuiteTester, replay: KindReplay): void {
  const { reply } = replay.exchange
  const hasContent = contentLeaf(reply, joinContent(replay.answer))
  const noContent = () => (hasContent ? undefined : 'no text of the recorded reply is part of the content')
  const isStreamed = streamedValues(reply) !== undefined
  const noFailure = () =>
    isStreamed || replay.failing ? undefined : 'its reply is not a stream, and the replay has no `failing`'
  tester.test('passes on each piece as it arrives', (world) => expectPieces(world, replay))
  tester.test('keeps the order of the pieces', (world) => expectOrder(world, replay), noContent)
  tester.test('starts and ends each part of its stream', (world) => expectBalanced(world, replay))
  tester.test('sends nothing after the finish of its stream', (world) => expectLastFinish(world, replay))
  tester.test(
    'fails if the upstream reports an error in the middle of its stream',
    (world) => expectReported(world, replay),
    noFailure,
  )
  tester.slowTest('stops reading while its stream is not read', (world) => expectHeldBack(world, replay), noContent)
}

/** The last piece is held back until a text came through. */
async function expectPieces(world: SuiteWorld, replay: KindReplay) {
  const pieces = replyPieces(replay.exchange.reply)
  let sendLast = () => {}
  world.answer(replay, (response) => {
    startReply(response, replay.exchange.reply)
    for (const piece of pieces.slice(0, -1)) response.write(piece)
    sendLast = () => void response.end(pieces.at(-1))
  })
  const events = textsAndEnd(await startStream(world, replay))
  const first = await withinASecond(events.next())
  sendLast()
  expect(first).toMatchObject({ value: { type: 'part_delta' } })
  const seen = [(first as Awaited<ReturnType<typeof events.next>>).value]
  for (let next = await events.next(); !next.done; next = await events.next()) seen.push(next.value)
  expect(seen.map((event) => event?.type)).toEqual([...seen.slice(1).map(() => 'part_delta'), 'finish'])
}

async function* textsAndEnd(events: AsyncIterable<TextEvent>): AsyncGenerator<TextEvent, void, undefined> {
  for await (const event of events)
    if (event.type === 'finish' || (event.type === 'part_delta' && event.text)) yield event
}

async function startStream(world: SuiteWorld, replay: KindReplay): Promise<AsyncIterable<TextEvent>> {
  const request = await filledIn(world.provider, 'stream', replay.request)
  return world.provider.streamText!(request, suiteCall('stream'))
}

export function joinContent({ parts = [] }: { readonly parts?: TextAnswer['parts'] }): string {
  return answerText({ parts })
}

async function expectOrder(world: SuiteWorld, replay: KindReplay) {
  const { reply } = replay.exchange
  const leaf = contentLeaf(reply, joinContent(replay.answer))!
  const texts = [...Array.from({ length: 20 }, (_, number) => `piece ${number}; `), ' ', '\n', '0', ' ', 'end']
  const index = leaf.index ?? 0
  const pieces = texts.map((text) => streamedValues(leaf.with(text))![index])
  world.answer(replay, replaying(withStreamed(reply, index, 1, pieces)))
  const answer = await world.ask(replay.kind, replay.request)
  expect(answerText(answer)).toBe(joinContent(replay.answer).replace(leaf.value, texts.join('')))
}

async function readEvents(world: SuiteWorld, replay: KindReplay): Promise<readonly TextEvent[]> {
  world.answer(replay, replaying(replay.exchange.reply))
  const events: TextEvent[] = []
  for await (const event of await startStream(world, replay)) events.push(event)
  return events
}

async function expectBalanced(world: SuiteWorld, replay: KindReplay) {
  const open = new Set<number>()
  const known = new Set<number>()
  const faults: string[] = []
  for (const [position, event] of (await readEvents(world, replay)).entries()) {
    const at = `event ${position}, ${JSON.stringify(event)}`
    if (event.type === 'start' && position > 0) faults.push(`${at}, is not the first`)
    if (event.type === 'part_start') {
      if (known.has(event.index)) faults.push(`${at}, starts a part again`)
      known.add(event.index)
      open.add(event.index)
    }
    if (event.type === 'part_delta' && !open.has(event.index)) faults.push(`${at}, is for no open part`)
    if (event.type === 'part_end' && !open.delete(event.index)) faults.push(`${at}, ends no open part`)
  }
  expect([...faults, ...[...open].map((index) => `part ${index} does not end`)]).toEqual([])
}

async function expectLastFinish(world: SuiteWorld, replay: KindReplay) {
  const types = (await readEvents(world, replay)).map(({ type }) => type)
  const finishes = types.filter((type) => type === 'finish')
  expect({ finishes, last: types.at(-1) }).toEqual({ finishes: ['finish'], last: 'finish' })
}

/** The failure is followed by the rest of the reply, which a provider that ignores it would take for the complete answer. */
async function expectReported(world: SuiteWorld, replay: KindReplay) {
  for (const reply of replay.failing ? [replay.failing] : withErrors(replay.exchange.reply)) {
    world.answer(replay, replaying(reply))
    const outcome = await world.ask('stream', replay.request).catch((error: unknown) => error)
    expect(outcome, 'record the error of the API as `failing` if it has a form of its own').toBeInstanceOf(
      ProviderError,
    )
    expect((outcome as ProviderError).failure).toMatch(/^(retry|timeout|rate_limited|give_up)$/)
  }
}

const reported = { type: 'overloaded_error', code: 'overloaded', message: 'The upstream is overloaded.' }

function withErrors(reply: RecordedReply): readonly RecordedReply[] {
  const middle = Math.ceil(streamedValues(reply)!.length / 2)
  const error = { error: reported }
  const isNamed = reply.events?.some(({ event }) => event !== undefined)
  const inserted: RecordedReply = isNamed
    ? { ...reply, events: reply.events!.toSpliced(middle, 0, { event: 'error', data: { type: 'error', ...error } }) }
    : withStreamed(reply, middle, 0, [error])
  const ended = withStreamed(inserted, middle + 1, Infinity, [])
  return [inserted, ended]
}

const [pieceLength, maxReadAhead] = [64 * 1024, 32 * 1024 * 1024]

/** The upstream sends pieces without end, and the reader takes one of them. */
async function expectHeldBack(world: SuiteWorld, replay: KindReplay) {
  const { reply } = replay.exchange
  const leaf = contentLeaf(reply, joinContent(replay.answer))!
  const index = leaf.index ?? 0
  const pieces = replyPieces(leaf.with('a'.repeat(pieceLength)))
  let sent = 0
  const full = Promise.withResolvers<void>()
  world.answer(replay, (response) => {
    startReply(response, reply)
    for (const piece of pieces.slice(0, index)) response.write(piece)
    const more = () => {
      while (!response.destroyed && sent < maxReadAhead) {
        sent += pieceLength
        if (!response.write(pieces[index])) return
      }
      full.resolve()
    }
    response.on('drain', more)
    more()
  })
  const events = (await startStream(world, replay))[Symbol.asyncIterator]()
  for (let next = await events.next(); !next.done && next.value.type !== 'part_delta';) next = await events.next()
  await withinASecond(full.promise)
  await withinASecond(Promise.resolve(events.return?.()))
  expect(sent, 'bytes that the upstream could send while nobody read').toBeLessThan(maxReadAhead)
}
