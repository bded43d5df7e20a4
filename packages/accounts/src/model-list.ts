import * as z from 'zod'
import { textUpTo } from '@fairlead/core/feature'

/** Patterns of models that a key or a user may call. */
export const modelList = z.array(textUpTo(200)).min(1).max(100)
