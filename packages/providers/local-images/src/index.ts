/** The image models of the embedded provider. */
export { painter } from './painter.ts'
