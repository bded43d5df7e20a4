import { type Color, hex, mix } from '../pixels/color.ts'
import { paintMoonDisc } from '../landscape/moon-disc.ts'
import { paintHalo } from '../landscape/stars.ts'
import type { Paint } from './drawable.ts'

export const moon: Paint = (painting, { x, y, height, colors }) => {
  const { picture, light } = painting
  const pale: Color =
    light.night || light.time === 'dusk' ? hex('#f4f1de') : mix(hex('#ffffff'), light.sky.at(0.5), 0.25)
  const color = colors[0] ? mix(colors[0], pale, 0.35) : pale
  paintHalo(picture, x, y, height * 3.2, color, light.night ? 0.34 : 0.1)
  paintMoonDisc(painting, { x, y, radius: height / 2, color })
}
