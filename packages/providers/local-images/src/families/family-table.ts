import { bauhaus } from './bauhaus.ts'
import { contours } from './contours.ts'
import type { Family } from './family.ts'
import { flowField } from './flow-field.ts'
import { gradientMesh } from './gradient-mesh.ts'
import { mandala } from './mandala.ts'
import { marbling } from './marbling.ts'
import { opArt } from './op-art.ts'
import { phyllotaxis } from './phyllotaxis.ts'
import { stainedGlass } from './stained-glass.ts'
import { terrazzo } from './terrazzo.ts'
import { truchet } from './truchet.ts'
import { waves } from './waves.ts'
import { weave } from './weave.ts'

/** Every pattern that `motif` can make. */
export const familyTable: readonly [Family, ...Family[]] = [
  flowField,
  truchet,
  gradientMesh,
  opArt,
  marbling,
  bauhaus,
  stainedGlass,
  waves,
  contours,
  mandala,
  phyllotaxis,
  weave,
  terrazzo,
]
