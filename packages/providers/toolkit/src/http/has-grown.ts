import type { TokenUsage } from '@fairlead/core/provider'

const minTokens = 16
const minShare = 1.1

/**
 * Whether the counts of a stream have grown enough since they were last reported to report them again. Each report reaches
 * clients, so those of every chunk would be too many.
 *
 * @param reported undefined before the first report
 */
export function hasGrown(reported: TokenUsage | undefined, { completionTokens }: TokenUsage): boolean {
  return reported === undefined || completionTokens >= reported.completionTokens * minShare + minTokens
}
