import type { Scene } from '../landscape/painting.ts'
import type { SceneName } from '../prompt/meaning.ts'
import { city } from './city.ts'
import { desert } from './desert.ts'
import { forest } from './forest.ts'
import { meadow } from './meadow.ts'
import { mountain } from './mountain.ts'
import { sea } from './sea.ts'
import { space } from './space.ts'

/** Every scene that `vista` can paint. */
export const sceneTable: Readonly<Record<SceneName, Scene>> = { mountain, sea, city, forest, desert, meadow, space }
