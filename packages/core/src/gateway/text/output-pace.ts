import type { Clock } from '../../runtime/clock.ts'
import type { AnswerUsage } from '../messages/answer.ts'
import type { OutputRate } from '../routing/targets.ts'

/** Shorter answers say little about the rate of a target. */
const minMeasuredMs = 1_000
/** If the reader took a larger share of the time, the end of the answer may have waited for it. */
const maxReaderShare = 0.1

/**
 * How many tokens the model of one stream has written by now, including hidden reasoning. Only for models that reason:
 * the tokens of others arrive.
 */
export class OutputPace {
  readonly #clock: Pick<Clock, 'now'>
  readonly #rate: OutputRate
  readonly #sentAt: number
  #firstByteAt: number | undefined = undefined
  #firstPieceAt: number | undefined = undefined
  #counted = 0
  #countedAt: number | undefined = undefined
  /** Since when the reader has not asked for the next event. */
  #givenAt: number | undefined = undefined
  #readerMs = 0

  /** The request is sent now. */
  constructor(clock: Pick<Clock, 'now'>, rate: OutputRate) {
    this.#clock = clock
    this.#rate = rate
    this.#sentAt = clock.now()
  }

  /** Records that anything has arrived, pings too. */
  arrived(isPiece: boolean): void {
    if (this.#firstPieceAt !== undefined) return
    const now = this.#clock.now()
    this.#firstByteAt ??= now
    if (isPiece) this.#firstPieceAt = now
  }

  /** Records what the upstream has counted so far. Servers that count nothing before the end repeat the same number. */
  counted({ completionTokens }: AnswerUsage): void {
    if (completionTokens <= this.#counted) return
    this.#counted = completionTokens
    this.#countedAt = this.#clock.now()
  }

  awaitReader(): void {
    this.#givenAt = this.#clock.now()
  }

  awaitUpstream(): void {
    if (this.#givenAt === undefined) return
    this.#readerMs += this.#clock.now() - this.#givenAt
    this.#givenAt = undefined
  }

  /** Measures the rate of the target by the counts of a whole answer. */
  ended({ completionTokens }: AnswerUsage): void {
    const since = this.#reasonsSince()
    if (since === undefined) return
    const ms = this.#clock.now() - since
    if (ms >= minMeasuredMs && this.#readerMs <= ms * maxReaderShare) this.#rate.measure(completionTokens, ms)
  }

  /** The upstream's last count, plus the number that the target usually writes in the time since then. */
  tokens(): number {
    const since = this.#countedAt ?? this.#reasonsSince()
    if (since === undefined) return 0
    return this.#counted + Math.floor(Math.max(0, this.#clock.now() - since) * this.#rate.perMs)
  }

  /** Some servers send nothing while a model reasons: the longer wait is then that for the first byte. */
  #reasonsSince(): number | undefined {
    const [firstByteAt, firstPieceAt] = [this.#firstByteAt, this.#firstPieceAt]
    if (firstByteAt === undefined || firstPieceAt === undefined) return firstByteAt
    return firstPieceAt - firstByteAt < firstByteAt - this.#sentAt ? this.#sentAt : firstByteAt
  }
}
