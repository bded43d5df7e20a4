// node scripts/build-packages.ts: compiles all packages, and builds what is published.
import { buildPackages } from './packed/pack.ts'

await buildPackages()
