/** The program of a worker's thread. It imports no value from core, whose sources a bare worker could not resolve. */
import { analyzeText } from './analysis/analyze-text.ts'

export { analyzeText }
