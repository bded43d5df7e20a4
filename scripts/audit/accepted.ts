/** A vulnerability that does not matter here. */
export interface Acceptance {
  /** Such as `GHSA-67mh-4wv8-f99m`. */
  readonly id: string
  readonly reason: string
  /** The day from which the audit fails again, such as `2027-03-01`. */
  readonly until: string
}

export const accepted: readonly Acceptance[] = []
