/** The error of a browser that creates or uses no passkey. */
export class PasskeyError extends Error {}
