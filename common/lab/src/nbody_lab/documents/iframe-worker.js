/* Search from disk. Browsers start no worker from file://, so a hidden frame takes its place: what is posted to the
   worker arrives in the frame, what the frame posts arrives at the worker's listeners. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      this.inside = frame.contentWindow
      this.frame = frame
      this.ready = new Promise(resolve => { this.inside.lab_worker_started = resolve })
      this.inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      const script = this.inside.document.createElement("script")
      script.src = address
      script.onload = this.inside.lab_worker_started
      this.inside.document.body.append(script)
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })))
    }
    set onmessage(listener) {
      this.addEventListener("message", listener)
    }
    terminate() {
      this.frame.remove()
    }
  }
}
