/** The object of a JSON text, or what is wrong with the text. */
export function parseObject(text: string): { readonly value: Record<string, unknown> } | { readonly issue: string } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { value: value as Record<string, unknown> }
    }
    return { issue: 'must be a JSON object' }
  } catch (error) {
    return { issue: `is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
