import { z } from 'zod'
import type { ListedModel } from '../../inference/route.ts'
import { modelTypes } from '../../values/model.ts'
import { typeNames } from '../../runtime/surfaces.ts'

/** A model as callers see it. */
export const modelRecord = z
  .object({
    id: z.string().describe('What requests name as `model`.'),
    name: z.string().describe('For people.'),
    type: z.enum(modelTypes).register(typeNames, { name: 'ModelType' }).describe('What it makes.'),
    description: z.string().describe('What it is, in a sentence.'),
    maxTokens: z
      .int()
      .describe('A text model: the most tokens of an answer. An image model: the most tokens of a prompt.'),
    pricing: z
      .object({
        input: z.number().describe('US dollars per million tokens of the prompt.'),
        output: z.number().describe('US dollars per million tokens of the answer, or per image.'),
        known: z.boolean().optional().describe('False where the prices are not known; they are then given as 0.'),
      })
      .describe('What it costs.'),
    provider: z.string().describe('Who offers it; `provider/id` names it too.'),
    capabilities: z
      .object({
        streaming: z.boolean().describe('Whether its answer can be had piece by piece.'),
        seed: z.boolean().describe('Whether the same `seed` gives the same answer.'),
        structured: z
          .boolean()
          .describe('Whether it answers in JSON of a given schema, and so can also analyze texts.'),
        contextSize: z
          .int()
          .optional()
          .describe('The most tokens that a prompt and its answer may have together, where that is known.'),
        sizes: z
          .array(z.string())
          .optional()
          .describe('An image model: the sizes that it makes, as `<width>x<height>`.'),
      })
      .describe('What it can do.'),
  })
  .meta({ id: 'Model', description: 'A model.' })

export function toModelRecord(model: ListedModel): z.output<typeof modelRecord> {
  const { id, name, type, description, maxTokens, provider } = model
  const pricing = pricingOf(model)
  return { id, name, type, description, maxTokens, pricing, provider, capabilities: capabilitiesOf(model) }
}

/** The fields that callers rely on are always there; what is not known is said beside them. */
function pricingOf({ pricing }: ListedModel): z.output<typeof modelRecord>['pricing'] {
  return pricing ? { input: pricing.input, output: pricing.output } : { input: 0, output: 0, known: false }
}

function capabilitiesOf(model: ListedModel): z.output<typeof modelRecord>['capabilities'] {
  const { seed = false } = model
  if (model.type === 'image') return { streaming: false, seed, structured: false, sizes: [...model.sizes] }
  const { streaming = false, structured = false, contextSize } = model
  return { streaming, seed, structured, ...(contextSize !== undefined && { contextSize }) }
}
