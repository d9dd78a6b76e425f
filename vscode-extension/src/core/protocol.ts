/** The messages of the wire, as generated; the one place that knows where they lie. */
export * from "../../../protocol/typescript/protocol";
