import type { Painting, ScenePlan } from './painting.ts'

/** The row at which the foreground begins in each column: a rise on the shaded side, a dip on the other. */
export function foregroundEdge(painting: Painting, plan: ScenePlan, lift = 0): (x: number) => number {
  const { picture, noise, light } = painting
  const { width, height, unit } = picture
  const wide = width > height
  const level = height * ((plan.peopledNear ? 0.8 : 0.9) - lift) - (wide ? unit * 0.02 : 0)
  const rise = unit * (plan.peopledNear ? 0.05 : 0.08)
  return (x) => {
    const across = x / width - 0.5
    const slope = across * -light.side * -1
    return (
      level + slope * rise * 2 * light.side * light.side + unit * 0.05 * noise.fractal((x / unit) * 1.7 + 31, 5.5, 3)
    )
  }
}
