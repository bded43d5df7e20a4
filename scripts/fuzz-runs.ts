import { configureGlobal } from 'fast-check'

const { FUZZ_RUNS: runs, FUZZ_SEED: seed } = process.env

// For properties that do not set their own number of runs.
configureGlobal({ numRuns: Number(runs), ...(seed !== undefined && { seed: Number(seed) }) })
