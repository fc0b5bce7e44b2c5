/** The tone: its pitch in hertz, how long it is in seconds, how loud between 0 and 1. */
const TONE = { pitch: 880, length: 0.35, loudness: 0.3 };
/** How a phone vibrates with it, in milliseconds. */
const VIBRATION_MS = [200, 100, 200];

/** What is heard and felt when something is due: browsers allow it once somebody has touched the page. */
export function makeTone() {
    let voice = null;
    return {
        /** Somebody touches the page: from now on it may make a sound. */
        unlock() {
            voice ??= window.AudioContext === undefined ? null : new AudioContext();
            voice?.resume().catch(() => {});
        },
        ring() {
            if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.(VIBRATION_MS);
            if (voice === null || voice.state !== "running") return;
            const [tone, volume] = [voice.createOscillator(), voice.createGain()];
            tone.frequency.value = TONE.pitch;
            volume.gain.setValueAtTime(TONE.loudness, voice.currentTime);
            volume.gain.exponentialRampToValueAtTime(0.001, voice.currentTime + TONE.length);
            tone.connect(volume).connect(voice.destination);
            tone.start();
            tone.stop(voice.currentTime + TONE.length);
        },
    };
}
