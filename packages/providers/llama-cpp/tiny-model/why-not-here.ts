import { loadBackend } from '../src/backend.ts'
import { importBinding, loadBinding } from '../src/binding.ts'

/** The reason why llama.cpp can't run on this machine; undefined if it can. */
export async function whyNotHere(): Promise<string | undefined> {
  try {
    await loadBackend(await loadBinding(importBinding))
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
