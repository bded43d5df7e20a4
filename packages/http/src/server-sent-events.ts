/** A stream without events sends a comment this often: proxies close connections that are silent for long. */
export const pingMs = 15_000
export const ping = ': ping\n\n'

/** The text of a server-sent event (HTML standard, 9.2.5), whose data is on one line. Without a type, it is a `message`. */
export function eventText(data: string, type?: string): string {
  return type === undefined ? `data: ${data}\n\n` : `event: ${type}\ndata: ${data}\n\n`
}
