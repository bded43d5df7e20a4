import type { JsonSchema } from '../../ports/provider.ts'
import { entityTypes, sentimentLabels } from '../../values/analysis.ts'
import type { AnalysisTask } from '../../values/model.ts'

/**
 * The form of an analysis, for models that keep to a schema. Only what every upstream's structured output takes:
 * bounds of numbers and lengths stand in the prompt, and are checked in the answer.
 */
export function analysisSchema(tasks: readonly AnalysisTask[]): JsonSchema {
  return record({ language: text, ...Object.fromEntries(tasks.map((task) => [task, schemas[task]])) })
}

const text = { type: 'string' }
const number = { type: 'number' }

const schemas: Readonly<Record<AnalysisTask, JsonSchema>> = {
  sentiment: record({ score: number, label: oneOf(sentimentLabels) }),
  entities: list({ text, type: oneOf(entityTypes), confidence: number }),
  keywords: list({ text, score: number }),
}

function oneOf(values: readonly string[]): JsonSchema {
  return { type: 'string', enum: [...values] }
}

function list(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'array', items: record(properties) }
}

function record(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}
