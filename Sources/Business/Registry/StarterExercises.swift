import Settings

/// The forty exercises that come with the program, as a section of a site file.
///
/// They stand by main muscle, the familiar ones first, so that a list in file order reads well. A lift without
/// `increment_kg` is one that people rarely load; `rest_s` is 180 s after a heavy barbell lift.
///
/// `met` is the metabolic equivalent in the 2011 Compendium of Physical Activities (Ainsworth et al.). Its
/// figures hold for a session with its rests, and it knows kinds of exercise rather than single lifts:
/// - 02054, resistance training of several exercises, 8 to 15 repetitions, 3.5: every lift not named below.
/// - 02052, squats, slow or explosive, 5.0: squats, and deadlifts, which the 2024 edition adds to this code.
/// - 02050, resistance training, vigorous, 6.0: farmer's walk.
/// - 02040, circuit training with kettlebells, vigorous, 8.0: kettlebell swing.
/// - 02022, calisthenics such as push-ups and pull-ups, moderate, 3.8: what is done with the body's weight.
/// - 02024, calisthenics such as sit-ups, light, 2.8: plank, which the 2024 edition adds to this code.
/// - 12030, running at 5 mph (8 km/h), 8.3; 02072, rowing ergometer at 100 W, 7.0; 02010, stationary bicycle,
///   general, 7.0; 02048, elliptical trainer, moderate, 5.0; 02065, stair-treadmill ergometer, 9.0; 15551, rope
///   jumping at 100 to 120 skips a minute, 11.8.
package enum StarterExercises {
    /// The section `exercises:` of a site file, in YAML.
    package static let text = """
        exercises:
          - {id: bench-press, name: Bench press, names: {de: Bankdrücken}, measure: reps, load: weight, increment_kg: 2.5, rest_s: 180, muscles: [chest, triceps, shoulders], met: 3.5}
          - {id: incline-bench-press, name: Incline bench press, names: {de: Schrägbankdrücken}, measure: reps, load: weight, increment_kg: 2.5, rest_s: 180, muscles: [chest, shoulders, triceps], met: 3.5}
          - {id: dumbbell-bench-press, name: Dumbbell bench press, names: {de: Kurzhantel-Bankdrücken}, measure: reps, load: weight, increment_kg: 2, rest_s: 90, muscles: [chest, triceps, shoulders], met: 3.5}
          - {id: push-up, name: Push-up, names: {de: Liegestütze}, measure: reps, load: bodyweight, rest_s: 60, muscles: [chest, triceps, shoulders, core], met: 3.8}
          - {id: chest-press, name: Chest press, names: {de: Brustpresse}, measure: reps, load: weight, increment_kg: 5, rest_s: 90, muscles: [chest, triceps, shoulders], met: 3.5}
          - {id: pec-deck, name: Pec deck, names: {de: Butterfly}, measure: reps, load: weight, increment_kg: 5, rest_s: 60, muscles: [chest, shoulders], met: 3.5}
          - {id: cable-fly, name: Cable fly, names: {de: Fliegende am Kabelzug}, measure: reps, load: weight, increment_kg: 2.5, rest_s: 60, muscles: [chest, shoulders], met: 3.5}
          - {id: deadlift, name: Deadlift, names: {de: Kreuzheben}, measure: reps, load: weight, increment_kg: 2.5, rest_s: 180, muscles: [back, glutes, hamstrings, forearms], met: 5}
          - {id: pull-up, name: Pull-up, names: {de: Klimmzüge}, measure: reps, load: bodyweight, increment_kg: 2.5, rest_s: 120, muscles: [back, biceps, forearms], met: 3.8}
          - {id: chin-up, name: Chin-up, names: {de: Klimmzüge im Untergriff}, measure: reps, load: bodyweight, increment_kg: 2.5, rest_s: 120, muscles: [back, biceps, forearms], met: 3.8}
          - {id: lat-pulldown, name: Lat pulldown, names: {de: Latzug}, measure: reps, load: weight, increment_kg: 5, rest_s: 90, muscles: [back, biceps], met: 3.5}
          - {id: bent-over-row, name: Bent-over row, names: {de: Vorgebeugtes Langhantelrudern}, measure: reps, load: weight, increment_kg: 2.5, rest_s: 180, muscles: [back, biceps, forearms], met: 3.5}
          - {id: seated-row, name: Seated row, names: {de: Sitzendes Rudern}, measure: reps, load: weight, increment_kg: 5, rest_s: 90, muscles: [back, biceps], met: 3.5}
          - {id: overhead-press, name: Overhead press, names: {de: Langhantel-Schulterdrücken}, measure: reps, load: weight, increment_kg: 2.5, rest_s: 180, muscles: [shoulders, triceps, core], met: 3.5}
          - {id: shoulder-press, name: Shoulder press, names: {de: Schulterpresse}, measure: reps, load: weight, increment_kg: 5, rest_s: 90, muscles: [shoulders, triceps], met: 3.5}
          - {id: lateral-raise, name: Lateral raise, names: {de: Seitheben}, measure: reps, load: weight, increment_kg: 2, rest_s: 60, muscles: [shoulders], met: 3.5}
          - {id: face-pull, name: Face pull, names: {de: Face Pulls}, measure: reps, load: weight, increment_kg: 2.5, rest_s: 60, muscles: [shoulders, back], met: 3.5}
          - {id: dumbbell-curl, name: Dumbbell curl, names: {de: Kurzhantel-Curls}, measure: reps, load: weight, increment_kg: 2, rest_s: 60, muscles: [biceps, forearms], met: 3.5}
          - {id: cable-curl, name: Cable curl, names: {de: Curls am Kabelzug}, measure: reps, load: weight, increment_kg: 2.5, rest_s: 60, muscles: [biceps, forearms], met: 3.5}
          - {id: triceps-pushdown, name: Triceps pushdown, names: {de: Trizepsdrücken am Kabelzug}, measure: reps, load: weight, increment_kg: 2.5, rest_s: 60, muscles: [triceps], met: 3.5}
          - {id: dip, name: Dip, names: {de: Dips}, measure: reps, load: bodyweight, increment_kg: 2.5, rest_s: 120, muscles: [triceps, chest, shoulders], met: 3.8}
          - {id: plank, name: Plank, names: {de: Unterarmstütz}, measure: time, load: bodyweight, rest_s: 60, muscles: [core, shoulders], met: 2.8}
          - {id: hanging-leg-raise, name: Hanging leg raise, names: {de: Beinheben im Hang}, measure: reps, load: bodyweight, rest_s: 60, muscles: [core, forearms], met: 3.8}
          - {id: hip-thrust, name: Hip thrust, names: {de: Hip Thrusts}, measure: reps, load: weight, increment_kg: 2.5, rest_s: 180, muscles: [glutes, hamstrings], met: 3.5}
          - {id: hip-abduction, name: Hip abduction, names: {de: Abduktorenmaschine}, measure: reps, load: weight, increment_kg: 5, rest_s: 60, muscles: [glutes], met: 3.5}
          - {id: back-squat, name: Back squat, names: {de: Kniebeugen}, measure: reps, load: weight, increment_kg: 2.5, rest_s: 180, muscles: [quadriceps, glutes, hamstrings, core], met: 5}
          - {id: leg-press, name: Leg press, names: {de: Beinpresse}, measure: reps, load: weight, increment_kg: 5, rest_s: 120, muscles: [quadriceps, glutes, hamstrings], met: 3.5}
          - {id: leg-extension, name: Leg extension, names: {de: Beinstrecker}, measure: reps, load: weight, increment_kg: 5, rest_s: 60, muscles: [quadriceps], met: 3.5}
          - {id: front-squat, name: Front squat, names: {de: Frontkniebeugen}, measure: reps, load: weight, increment_kg: 2.5, rest_s: 180, muscles: [quadriceps, glutes, core], met: 5}
          - {id: romanian-deadlift, name: Romanian deadlift, names: {de: Rumänisches Kreuzheben}, measure: reps, load: weight, increment_kg: 2.5, rest_s: 180, muscles: [hamstrings, glutes, back], met: 5}
          - {id: leg-curl, name: Leg curl, names: {de: Beinbeuger}, measure: reps, load: weight, increment_kg: 5, rest_s: 60, muscles: [hamstrings, calves], met: 3.5}
          - {id: calf-raise, name: Calf raise, names: {de: Wadenheben}, measure: reps, load: weight, increment_kg: 5, rest_s: 60, muscles: [calves], met: 3.5}
          - {id: kettlebell-swing, name: Kettlebell swing, names: {de: Kettlebell-Swings}, measure: reps, load: weight, increment_kg: 4, rest_s: 90, muscles: [full-body, glutes, hamstrings, core], met: 8}
          - {id: farmers-walk, name: Farmer's walk, names: {de: Farmer's Walk}, measure: distance, load: weight, increment_kg: 2, rest_s: 90, muscles: [full-body, forearms, core], met: 6}
          - {id: treadmill-run, name: Treadmill run, names: {de: Laufband}, measure: distance, load: none, rest_s: 60, muscles: [cardio, quadriceps, hamstrings, calves], met: 8.3}
          - {id: exercise-bike, name: Exercise bike, names: {de: Fahrradergometer}, measure: time, load: none, rest_s: 60, muscles: [cardio, quadriceps, glutes], met: 7}
          - {id: cross-trainer, name: Cross-trainer, names: {de: Crosstrainer}, measure: time, load: none, rest_s: 60, muscles: [cardio, quadriceps, glutes], met: 5}
          - {id: rowing-ergometer, name: Rowing ergometer, names: {de: Ruderergometer}, measure: distance, load: none, rest_s: 60, muscles: [cardio, back, quadriceps, hamstrings], met: 7}
          - {id: stair-climber, name: Stair climber, names: {de: Treppensteiger}, measure: time, load: none, rest_s: 60, muscles: [cardio, glutes, quadriceps, calves], met: 9}
          - {id: skipping-rope, name: Skipping rope, names: {de: Seilspringen}, measure: time, load: none, rest_s: 60, muscles: [cardio, calves, shoulders], met: 11.8}
        """

    /// Them as rows.
    package static let rows: [SiteTree] = {
        var seen: Set<String> = []
        guard var settings = try? SettingsReader(text: text, named: "starter") else { return [] }
        return settings.list("exercises") {
            SiteCollection.exercises.read(&$0, seen: &seen, known: [:])
        }
    }()
}
