import { invalidRequest } from '../../runtime/errors.ts'
import type { OperationRun } from '../../runtime/run/operation-run.ts'
import { clip, maxNameLength } from '../../runtime/schema/names.ts'
import { normal } from './guarded-fields.ts'
import type { Registry } from '../catalog/registry.ts'
import { type ProviderOptions } from '../messages/message.ts'
import { isObject } from '../../runtime/json.ts'

/**
 * Fields of the providers' APIs that `providerOptions` must not set, without case and underscores: Fairlead sets them, or
 * they would change where a request goes, what it costs, or how its response is read.
 */
const reserved: ReadonlySet<string> = new Set(
  (
    'model models messages conversation previousresponseid prompt input contents system systeminstruction instructions ' +
    'stream streamoptions maxtokens maxcompletiontokens maxoutputtokens numpredict npredict n candidatecount bestof ' +
    'background url baseurl headers'
  ).split(' '),
)

/** Whether an option of that name is rejected. */
export function isReservedOption(name: string): boolean {
  return reserved.has(normal(name))
}

/**
 * Throws `INVALID_REQUEST` for an option that is reserved, also one level deeper, as in Google's `generationConfig`. Warns
 * about options for an unknown provider, which would otherwise be ignored silently.
 *
 * @param call gets the warnings; none if the options are for whichever providers there are
 */
export function checkProviderOptions(
  options: ProviderOptions = {},
  { providers }: Pick<Registry, 'providers'>,
  call: Pick<OperationRun, 'warn'> | undefined,
): void {
  for (const [id, own] of Object.entries(options)) {
    const field = `providerOptions.${id}`
    requireAllowed(own, field)
    if (!providers.some((provider) => provider.id === id)) {
      const name = clip(id, maxNameLength)
      call?.warn([{ field: `providerOptions.${name}`, issue: `is ignored: unknown provider "${name}"` }])
    }
  }
}

function requireAllowed(options: object, field: string, deeper = 1): void {
  for (const [name, value] of Object.entries(options)) {
    const path = `${field}.${name}`
    if (isReservedOption(name)) throw invalidRequest({ field: path, issue: 'cannot be set here' })
    if (deeper > 0 && isObject(value)) requireAllowed(value, path, deeper - 1)
  }
}
