import type { JsonSchema } from '@fairlead/core/provider'
import { exampleValue } from '../example-value.ts'
import type { Brief } from './brief/brief.ts'
import type { Desk } from './kind.ts'
import { analyzedSentiment } from './kinds/analyzed.ts'
import { summarized, findTitles } from './kinds/text-kinds.ts'
import { numberIn, valuesFor } from './working/find-value.ts'
import { keyPhrases } from './working/key-phrases.ts'

/** A JSON text. */
export interface Example {
  readonly text: string
  /** The keywords of the schema that the text may not satisfy. */
  readonly unmet: readonly string[]
}

/** Properties that hold the answer itself. */
const answers = /^(?:(?:final_?)?answer|response|reply|text|content|message|poem|haiku|story|joke|slogan)$/
const lists = /^(?:key_?words|tags|topics|key_?phrases|labels)$/

/** Properties beyond these get plain examples. */
const maxLookups = 200

/**
 * The smallest value that satisfies a schema, with the facts of the prompt where the names of properties fit: `name` and
 * `age` of “Ada is 36”.
 *
 * @param write composes the answer that the prompt would get without a schema
 */
export async function exampleFrom(
  schema: JsonSchema,
  brief: Brief,
  write: () => Promise<string>,
  desk: Desk,
): Promise<Example> {
  const given = brief.source ?? brief.prompt
  const names = listProperties(schema)
  const answer = names.some((name) => answers.test(name)) ? await write() : ''
  const sentiment = names.includes('sentiment') ? await analyzedSentiment(given, desk) : undefined
  const known = new Map<string, readonly string[]>()

  function textsFor(name: string): readonly string[] {
    const found = known.get(name)
    if (found || known.size >= maxLookups) return found ?? []
    const texts = findTexts(name)
    known.set(name, texts)
    return texts
  }

  function findTexts(name: string): readonly string[] {
    const field = name.toLowerCase()
    if (lists.test(field)) return keyPhrases(given, 5)
    if (field === 'summary') return [summarized(given)]
    if (field === 'title') return findTitles(given).slice(0, 1)
    const stated = [...valuesFor(name, given), ...(given === brief.prompt ? [] : valuesFor(name, brief.prompt))]
    return answers.test(field) && answer !== '' ? [...stated, answer] : stated
  }

  const { value, unmet } = exampleValue(schema, (name, own) => {
    const type = typeof own['type'] === 'string' ? own['type'] : undefined
    const choices = own['enum']
    if (Array.isArray(choices)) {
      const label = choices.find((choice) => String(choice).toLowerCase() === sentiment)
      return name === 'sentiment' && label !== undefined ? label : choices.find((choice) => isNamed(choice, given))
    }
    const texts = textsFor(name)
    if (type === 'array') return texts.length > 0 ? texts : undefined
    if (type === 'string') return name === 'sentiment' && sentiment !== undefined ? sentiment : texts[0]
    if (type === 'number' || type === 'integer')
      return texts.map((text) => numberIn(text.slice(text.lastIndexOf('=') + 1))).find((number) => number !== undefined)
    return undefined
  })
  return { text: JSON.stringify(value), unmet }
}

/** The names of all properties in a schema, in lower case. */
function listProperties(schema: JsonSchema): string[] {
  const names: string[] = []
  const open: unknown[] = [schema]
  for (let read = 0; open.length > 0 && read < 5_000; read++) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    const { properties } = next as { properties?: unknown }
    if (typeof properties === 'object' && properties !== null)
      names.push(...Object.keys(properties).slice(0, maxLookups))
    open.push(...Object.values(next).slice(0, maxLookups))
  }
  return names.map((name) => name.toLowerCase())
}

function isNamed(choice: unknown, text: string): boolean {
  if (typeof choice !== 'string' || !/^[\w -]{2,40}$/.test(choice)) return false
  return new RegExp(`\\b${choice}\\b`, 'i').test(text.slice(0, 2_000))
}
