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
    const reason = isMissing(cause) ? 'is not installed' : `can't be loaded (${String(cause)})`
    throw new ProviderError('give_up', `The package node-llama-cpp ${reason}. Install it with: ${howToInstall}`, {
      cause,
    })
  }
}

/** The error for a platform without a binary. */
export function noBinary(cause: unknown): ProviderError {
  const machine = `${process.platform}-${process.arch}`
  return new ProviderError(
    'give_up',
    `node-llama-cpp has no binary that runs on this machine (${machine}). Install it together with its optional packages: ${howToInstall}`,
    { cause },
  )
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}
