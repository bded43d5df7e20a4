// With --import, the clock of a process is a day ahead.
const { now } = Date
const dayMs = 86_400_000

Date.now = () => now() + dayMs
