import type { Model } from '@fairlead/core/provider'

/** The ends of ids that name a version: `-2024-08-06`, `-20251001`, `@20251001`, `-0613`, `-001`, and `-latest`. */
const version = /[-@](\d{4}-\d\d-\d\d|\d{8}|\d{3,4}|latest)$/
/** `ft:gpt-4o-mini-2024-07-18:organization:name:id` */
const fineTuned = /^ft:([^:]+):/

/** The id of the model that an id is a version of, or the same id. */
export function familyId(id: string): string {
  return (fineTuned.exec(id)?.[1] ?? id).replace(version, '')
}

/**
 * A version of a model. A fine-tuned one has no price, because it costs more than its family, and each publisher charges a
 * different surcharge.
 */
export function versionOf(model: Model, id: string): Model {
  const { pricing, ...facts } = model
  if (fineTuned.test(id)) return { ...facts, id, name: `${model.name} (fine-tuned)` }
  const name = `${model.name} (${version.exec(id)?.[1] ?? id})`
  return { ...facts, id, name, ...(pricing && { pricing }) }
}
