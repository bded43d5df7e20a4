import { applyForm } from './apply-form.ts'
import { contentWords } from './content-words.ts'
import { type Alternative, type Grammar, type How, type Line, type Reference, references } from './grammar.ts'
import { Memory, type Remembered } from './memory.ts'
import { type Sampling, sample } from './sampling.ts'
import { syllables } from './syllables.ts'

/** The values that the prompt fills in: a text, or several texts of which one is chosen, the likeliest first. */
export type Slots = Readonly<Record<string, string | readonly string[] | undefined>>

/** How an answer is to sound. */
export interface Voice {
  readonly sampling: Sampling
  readonly tones: ReadonlySet<string>
  /** 1 for the length that the grammar was written for. */
  readonly scale: number
  /** How many items the prompt asks for. */
  readonly count?: number | undefined
}

interface Option extends Remembered {
  /** The key of the choice in the memory. */
  readonly key: unknown
  readonly toned: boolean
  readonly say: () => string
}

/** The most sentences that are looked at for one that fits a meter. */
const meterLimit = 3_000

/** Composes the rule `answer` of a grammar. Every choice on the way is drawn from a distribution. */
export function compose(grammar: Grammar, slots: Slots, voice: Voice): string {
  return new Composer(grammar, slots, voice).rule('answer')
}

class Composer {
  readonly #grammar: Grammar
  readonly #slots: Slots
  readonly #voice: Voice
  readonly #memory: Memory
  /** The texts that references marked `same` repeat. */
  readonly #kept = new Map<string, string>()
  readonly #available = new Map<string, boolean>()

  constructor(grammar: Grammar, slots: Slots, voice: Voice) {
    this.#grammar = grammar
    this.#slots = slots
    this.#voice = voice
    this.#memory = new Memory(voice.sampling)
  }

  rule(name: string, spent?: Set<unknown>): string {
    const options = this.#options(name)
    const fresh = options.filter(({ key }) => !spent?.has(key))
    if (fresh.length === 0) spent?.clear()
    const chosen = this.#choose(fresh.length > 0 ? fresh : options)
    spent?.add(chosen.key)
    return chosen.say()
  }

  #options(name: string): Option[] {
    const alternatives = this.#grammar.get(name)
    if (alternatives) {
      return alternatives
        .filter((alternative) => this.#allows(alternative))
        .map((alternative) => ({
          key: alternative,
          words: alternative.words,
          toned: alternative.conditions.some((condition) => condition.type === 'tone' && condition.present),
          say: () => this.#alternative(alternative),
        }))
    }
    const value = this.#slots[name] ?? ''
    const values = typeof value === 'string' ? [value] : value
    return values.map((text) => ({ key: text, words: contentWords(text), toned: false, say: () => text }))
  }

  #choose(options: readonly Option[]): Option {
    if (options.length === 0) throw new Error('A rule was reached that has nothing to say.')
    const chosen = options.length === 1 ? options[0]! : options[sample(this.#logits(options), this.#voice.sampling)]!
    this.#memory.note(chosen.key, chosen)
    return chosen
  }

  /**
   * The first options are likelier, options in the requested tone more so, and options that were said before less so.
   */
  #logits(options: readonly Option[]): number[] {
    const slope = Math.min(0.3, 3 / options.length)
    return options.map(
      (option, index) => (option.toned ? 1.5 : 0) - slope * index - this.#memory.cost(option.key, option),
    )
  }

  #alternative({ lines }: Alternative): string {
    const said = lines.map((line) => ({ text: this.#line(line), empty: line.parts.length > 0 }))
    // A line of which nothing came, such as one that is only `{?reason}`, goes; a line left blank on purpose stays.
    return said.flatMap(({ text, empty }) => (text.trim() === '' && empty ? [] : [text])).join('\n')
  }

  #line({ bullet, parts }: Line): string {
    if (bullet === '' && !isList(parts)) return parts.map((part) => this.#part(part)).join('')
    const items = this.#items(parts[0] as Reference)
    return items
      .map((item, index) => bullet.replace(/\d+/, String(index + 1)) + item)
      .join(between(items, '\n', '\n\n'))
  }

  #part(part: string | Reference): string {
    if (typeof part === 'string') return part
    if (!this.#says(part.name)) return ''
    const { how } = part
    if (how === undefined) return this.rule(part.name)
    if (how.type === 'form') return applyForm(this.rule(part.name), how.form)
    if (how.type === 'same') return this.#same(part.name)
    if (how.type === 'syllables') return this.#inMeter(part.name, how.syllables)
    const items = this.#items(part)
    return items.join(between(items, how.type === 'about' ? ' ' : ', ', '\n'))
  }

  #same(name: string): string {
    const said = this.#kept.get(name) ?? this.rule(name)
    this.#kept.set(name, said)
    return said
  }

  #items({ name, how }: Reference): string[] {
    if (how?.type === 'each') return this.#options(name).map((option) => option.say())
    const wanted = this.#times(how)
    const items = new Set<string>()
    const spent = new Set<unknown>()
    // A small rule may have no more to say: then the list ends early rather than say it twice.
    for (let tries = 0; items.size < wanted && tries < wanted + 8; tries++) items.add(this.rule(name, spent))
    return [...items]
  }

  #times(how: How | undefined): number {
    if (how?.type === 'asked')
      return this.#voice.count ?? Math.max(1, Math.round(how.times * Math.min(this.#voice.scale, 4)))
    if (how?.type === 'about') return Math.max(1, Math.round(how.times * this.#voice.scale))
    return how?.type === 'exactly' ? how.times : 1
  }

  /** Chooses among all that a rule can say in so many syllables; nothing of that meter is a fault of the grammar. */
  #inMeter(name: string, count: number): string {
    const fitting = this.#everything(name).filter((text) => syllables(text) === count)
    const options = fitting.map((text) => ({ key: text, words: contentWords(text), toned: false, say: () => text }))
    // So short a poem has no room for a word twice.
    const fresh = options.filter((option) => this.#memory.isNew(option))
    return this.#choose(fresh.length > 0 ? fresh : options).say()
  }

  #everything(name: string): string[] {
    const alternatives = this.#grammar.get(name)
    if (!alternatives) return this.#options(name).map((option) => option.say())
    const allowed = alternatives.filter((alternative) => this.#allows(alternative))
    return allowed.flatMap(({ lines }) =>
      lines[0]!.parts.reduce<string[]>(
        (texts, part) => {
          const endings = typeof part === 'string' ? [part] : this.#everything(part.name)
          return texts.flatMap((text) => endings.map((ending) => text + ending)).slice(0, meterLimit)
        },
        [''],
      ),
    )
  }

  #allows(alternative: Alternative): boolean {
    const met = alternative.conditions.every((condition) =>
      condition.type === 'tone'
        ? this.#voice.tones.has(condition.tone) === condition.present
        : this.#filled(condition.name) === condition.present,
    )
    return met && references(alternative).every(({ name, optional }) => optional || this.#says(name))
  }

  #says(name: string): boolean {
    const known = this.#available.get(name)
    if (known !== undefined) return known
    this.#available.set(name, false)
    const says = this.#grammar.get(name)?.some((alternative) => this.#allows(alternative)) ?? this.#filled(name)
    this.#available.set(name, says)
    return says
  }

  #filled(name: string): boolean {
    const value = this.#slots[name]
    return value !== undefined && value.length > 0
  }
}

/** The separator between the items of a row: longer, where they have several lines each. */
function between(items: readonly string[], short: string, tall: string): string {
  return items.some((item) => item.includes('\n')) ? tall : short
}

function isList(parts: Line['parts']): boolean {
  const [only] = parts
  const how = parts.length === 1 && typeof only === 'object' ? only.how?.type : undefined
  return how === 'asked' || how === 'exactly' || how === 'each'
}
