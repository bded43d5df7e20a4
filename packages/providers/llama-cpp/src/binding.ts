import { ProviderError } from '@fairlead/core/provider'

/** The package `node-llama-cpp`. */
export type Binding = typeof import('node-llama-cpp')
export type ImportBinding = () => Promise<Binding>

export const importBinding: ImportBinding = () => import('node-llama-cpp')

const howToInstall =
  'npm install node-llama-cpp@3 (in a clone of Fairlead: npx pnpm@12 install --filter @fairlead/provider-llama-cpp)'

export async function loadBinding(importIt: ImportBinding): Promise<Binding> {
  try {
    return await importIt()
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
    const reason = isMissing ? 'is not installed' : `can't be loaded (${String(cause)})`
    const message = `The package node-llama-cpp ${reason}. Install it with: ${howToInstall}`
    throw new ProviderError('give_up', message, { cause })
  }
}

/** The error for a platform without a binary. */
export function noBinary(cause: unknown): ProviderError {
  const machine = `${process.platform}-${process.arch}`
  const advice = `Install it together with its optional packages: ${howToInstall}`
  const message = `node-llama-cpp has no binary that runs on this machine (${machine}). ${advice}`
  return new ProviderError('give_up', message, { cause })
}
