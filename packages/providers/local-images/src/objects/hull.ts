import type { Brush } from './brush.ts'

/** A hull whose waterline is the origin; its foot is a little under it. */
export function hull(brush: Brush, tint: Parameters<Brush['box']>[0], reach: number, depth: number): void {
  brush.shape(tint, -reach, reach, (path) => {
    path.moveTo(-reach, -depth * 1.15)
    path.quadraticCurveTo(-reach * 0.84, 0.012, -reach * 0.62, 0.016)
    path.lineTo(reach * 0.6, 0.016)
    path.quadraticCurveTo(reach * 0.94, 0, reach * 1.08, -depth * 1.3)
    path.quadraticCurveTo(0, -depth * 0.8, -reach, -depth * 1.15)
  })
  brush.arc('#f4ecdc', depth * 0.1, [-reach * 0.98, -depth * 1.1], [0, -depth * 0.78], [reach * 1.04, -depth * 1.24])
}
