import type { Color } from '../pixels/color.ts'
import { cover } from '../pixels/picture.ts'
import { smoothstep } from '../pixels/scalar.ts'
import type { Paint } from './drawable.ts'

export const rainbow: Paint = ({ picture, light, horizon }) => {
  const radius = Math.min(picture.width * 0.55, horizon * 0.9, picture.unit * 0.62)
  const centerX = picture.width * (0.5 - light.side * 0.14)
  const centerY = horizon + radius * 0.12
  const width = radius * 0.13
  for (let y = 0; y < Math.min(picture.height, horizon + 4); y++) {
    for (let x = 0; x < picture.width; x++) {
      const share = (Math.hypot(x - centerX, y - centerY) - radius) / width + 0.5
      if (share < -0.3 || share > 1.3) continue
      const fade = smoothstep(-0.3, 0.12, share) * smoothstep(1.3, 0.88, share)
      const foot = smoothstep(centerY, centerY - radius * 0.5, y) * 0.5 + 0.5
      cover(picture, x, y, spectrum(1 - share), fade * 0.4 * foot)
    }
  }
}

/** Violet inside, red outside. */
function spectrum(share: number): Color {
  const lobe = (center: number, width: number) => Math.exp(-(((share - center) / width) ** 2))
  return [lobe(0.08, 0.3) + 0.45 * lobe(1, 0.14), lobe(0.42, 0.24), lobe(0.76, 0.24)]
}
