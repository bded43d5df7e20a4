/** The parts of a document that an import leaves out or changes, with the reason. */
export class Notes {
  readonly #paths = new Map<string, string[]>()

  add(path: string, reason: string): void {
    const paths = this.#paths.get(reason)
    if (!paths) this.#paths.set(reason, [path])
    else if (!paths.includes(path)) paths.push(path)
  }

  /** A line for each reason: `model_list[0].litellm_params.rpm (and 2 more): …`. */
  lines(): readonly string[] {
    return [...this.#paths].map(([reason, [first, ...others]]) => {
      const more = others.length > 0 ? ` (and ${others.length} more)` : ''
      return `${first}${more}: ${reason}`
    })
  }
}

/** The path of a field. The outermost object of a document has none. */
export function fieldPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
