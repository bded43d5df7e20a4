import type { Provider } from '@fairlead/core/provider'
import { ConfigError } from '../config-error.ts'

/** What a factory made, if it is a provider of the contract that this house is written to. */
export function checkProvider(made: unknown, where: string): Provider {
  const { contract, id, models } = (typeof made === 'object' && made !== null ? made : {}) as Partial<Provider>
  if (contract === undefined || typeof id !== 'string' || models === undefined) {
    throw new ConfigError(`${where} is no provider: one has at least a contract, an id and models`)
  }
  if (contract !== 1) {
    throw new ConfigError(
      `${where}: the provider "${id}" is written to contract ${JSON.stringify(contract)}, and this Fairlead to contract 1: ` +
        'install a version of either that fits the other',
    )
  }
  return made as Provider
}
