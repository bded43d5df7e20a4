import type { Model, Provider } from '@fairlead/core/provider'
import { anthropic } from '@fairlead/provider-anthropic'
import { google } from '@fairlead/provider-google'
import { openaiCompatible } from '@fairlead/provider-openai-compatible'

export type Vendor = 'openai' | 'anthropic' | 'google'

interface VendorOptions {
  readonly baseUrl: string
  readonly models: readonly Model[]
  readonly allow: readonly string[]
}

/** The provider of a vendor's own API, which has the id of the vendor. */
export function vendorProvider(id: Vendor, given: VendorOptions): Provider {
  const options = { ...given, id, apiKey: 'canned-key' }
  switch (id) {
    case 'openai':
      return openaiCompatible({ ...options, preset: 'openai', dialect: { responses: true } })
    case 'anthropic':
      return anthropic(options)
    case 'google':
      return google(options)
  }
}
