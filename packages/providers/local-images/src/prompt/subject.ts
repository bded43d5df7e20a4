import type { Color } from '../pixels/color.ts'

/** An object that was asked for. */
export interface Subject {
  /** Its name in the object table. */
  readonly object: string
  /** As the prompt calls it. */
  readonly text: string
  /** Absent where the prompt gives no number. */
  readonly count?: number
  readonly colors: readonly Color[]
}
